// Lambda@Edge, viewer response: tells the client where it stands. CloudFront does not call it when the origin
// answers 400 or above, nor for what viewer-request answered, which has these headers already.
import { carried, standingHeaders } from "./answers.js";
import type { Response, ResponseEvent } from "./cloudfront.js";

export function viewerResponse(event: ResponseEvent, now: number): Response {
  const cf = event.Records[0]?.cf;
  if (cf === undefined) throw new Error("no CloudFront event");
  const standing = carried(cf.request, now);
  if (standing === undefined) return cf.response;
  return { ...cf.response, headers: { ...cf.response.headers, ...standingHeaders(standing, now) } };
}

export const handler = async (event: ResponseEvent): Promise<Response> => viewerResponse(event, Date.now());
