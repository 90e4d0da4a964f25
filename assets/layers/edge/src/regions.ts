// Which copy of the table is nearest to where this function runs.

/** Latitude and longitude of the regions, to a degree. */
const PLACES: Record<string, [number, number]> = {
  "af-south-1": [-34, 18],
  "ap-east-1": [22, 114],
  "ap-east-2": [25, 122],
  "ap-northeast-1": [36, 140],
  "ap-northeast-2": [38, 127],
  "ap-northeast-3": [35, 136],
  "ap-south-1": [19, 73],
  "ap-south-2": [17, 78],
  "ap-southeast-1": [1, 104],
  "ap-southeast-2": [-34, 151],
  "ap-southeast-3": [-6, 107],
  "ap-southeast-4": [-38, 145],
  "ap-southeast-5": [3, 102],
  "ap-southeast-6": [-37, 175],
  "ap-southeast-7": [14, 101],
  "ca-central-1": [46, -74],
  "ca-west-1": [51, -114],
  "eu-central-1": [50, 9],
  "eu-central-2": [47, 9],
  "eu-north-1": [59, 18],
  "eu-south-1": [45, 9],
  "eu-south-2": [41, -1],
  "eu-west-1": [53, -6],
  "eu-west-2": [51, 0],
  "eu-west-3": [49, 2],
  "il-central-1": [32, 35],
  "me-central-1": [24, 54],
  "me-south-1": [26, 51],
  "mx-central-1": [21, -100],
  "sa-east-1": [-24, -47],
  "us-east-1": [38, -77],
  "us-east-2": [40, -83],
  "us-west-1": [37, -122],
  "us-west-2": [46, -119],
};

/** The region among `home` and `replicas` that is nearest to `running`; `home` if that one is unknown. */
export function nearestReplica(running: string, home: string, replicas: string[]): string {
  const choices = [home, ...replicas];
  if (choices.includes(running)) return running;
  const here = PLACES[running];
  if (here === undefined) return home;
  let nearest = home;
  let least = Infinity;
  for (const choice of choices) {
    const there = PLACES[choice];
    const distance = there === undefined ? Infinity : angle(here, there);
    if (distance < least) {
      nearest = choice;
      least = distance;
    }
  }
  return nearest;
}

export function isKnownRegion(region: string): boolean {
  return region in PLACES;
}

/** Angle between two places as seen from the centre of the Earth. */
function angle(a: [number, number], b: [number, number]): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const cosine =
    Math.sin(radians(a[0])) * Math.sin(radians(b[0])) +
    Math.cos(radians(a[0])) * Math.cos(radians(b[0])) * Math.cos(radians(a[1] - b[1]));
  return Math.acos(Math.min(1, Math.max(-1, cosine)));
}
