// The parts of CloudFront's Lambda@Edge events that the limiter reads and writes.
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/lambda-event-structure.html

export type Headers = Record<string, { key?: string; value: string }[]>;

export interface Request {
  clientIp: string;
  method: string;
  /** As the viewer sent it, still percent-encoded, without the query string. */
  uri: string;
  querystring: string;
  headers: Headers;
}

export interface Response {
  status: string;
  statusDescription?: string;
  headers?: Headers;
  body?: string;
}

export interface RequestEvent {
  Records: { cf: { request: Request } }[];
}

export interface ResponseEvent {
  Records: { cf: { request: Request; response: Response } }[];
}

/** The first value of a header. Lambda@Edge's names are in lower case. */
export function header(headers: Headers, name: string): string | undefined {
  return headers[name.toLowerCase()]?.[0]?.value;
}

export function setHeader(headers: Headers, name: string, value: string): void {
  headers[name.toLowerCase()] = [{ key: name, value }];
}
