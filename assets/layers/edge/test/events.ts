// Events in the form that CloudFront sends to Lambda@Edge.
import type { Headers, Request, RequestEvent, Response, ResponseEvent } from "../src/cloudfront.js";

export function requestEvent(change: Partial<Request> = {}, headers: Record<string, string> = {}): RequestEvent {
  const sent: Headers = {
    host: [{ key: "Host", value: "d111111abcdef8.cloudfront.net" }],
    "user-agent": [{ key: "User-Agent", value: "curl/7.66.0" }],
    accept: [{ key: "accept", value: "*/*" }],
  };
  for (const [name, value] of Object.entries(headers)) sent[name.toLowerCase()] = [{ key: name, value }];
  const request = { clientIp: "203.0.113.178", headers: sent, method: "GET", querystring: "", uri: "/", ...change };
  const config = {
    distributionDomainName: "d111111abcdef8.cloudfront.net",
    distributionId: "EDFDVBD6EXAMPLE",
    eventType: "viewer-request",
    requestId: "4TyzHTaYWb1GX1qTfsHhEqV6HUDd_BzoBZnwfnvQc_1oF26ClkoUSEQ==",
  };
  return { Records: [{ cf: { config, request } as { request: Request } }] };
}

export function responseEvent(request: Request): ResponseEvent {
  const config = {
    distributionDomainName: "d111111abcdef8.cloudfront.net",
    distributionId: "EDFDVBD6EXAMPLE",
    eventType: "viewer-response",
    requestId: "4TyzHTaYWb1GX1qTfsHhEqV6HUDd_BzoBZnwfnvQc_1oF26ClkoUSEQ==",
  };
  const response: Response = {
    headers: {
      "content-type": [{ key: "Content-Type", value: "text/html; charset=utf-8" }],
      server: [{ key: "Server", value: "nginx" }],
      via: [{ key: "Via", value: "1.1 8f22423015641505b8c857a37450d6c0.cloudfront.net (CloudFront)" }],
    },
    status: "200",
    statusDescription: "OK",
  };
  return { Records: [{ cf: { config, request, response } as { request: Request; response: Response } }] };
}

export function value(headers: Headers | undefined, name: string): string | undefined {
  return headers?.[name.toLowerCase()]?.[0]?.value;
}

export function isResponse(result: Request | Response): result is Response {
  return "status" in result;
}
