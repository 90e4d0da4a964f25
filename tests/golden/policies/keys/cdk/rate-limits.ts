// Rate limits of the web ACL keys-acl in front of CloudFront.
// Policy: ratewaf.yaml
// Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
// Written by ratewaf emit: change the policy and emit again, not this file.
// To compare the two: ratewaf emit --format cdk --check out/
// Deploy it in us-east-1.
// For a distribution: WebACLId is the output WebAclArn.
//
// Uses 6 of 10 rate-based rules and about 534 of 5,000 WCU (an estimate; AWS decides).
// Costs 11.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
// distribution (pay as you go, prices of 2026-06-01).
// With as many requests as the logs hold (114,144 in 168 hours): about 11.29 USD a month.
//
// Please note:
// - Route `header`: pinned 100; the lock has no figures for the route.
// - Route `cookie`: pinned 100; the lock has no figures for the route.
// - Route `argument`: pinned 100; the lock has no figures for the route.
// - Route `path`: pinned 100; the lock has no figures for the route.
// - Route `tls`: pinned 100; the lock has no figures for the route.
// - Route `label`: pinned 100; the lock has no figures for the route.
// - Route `header`: it counts by header x-api-key. A request without header x-api-key is not
// counted at all, and a client that makes up a new one each time is never limited: a missing key
// is a bypass. Let something behind demand it, or add a route that counts by address.
// - Route `cookie`: it counts by address and cookie Session. A request without cookie Session is
// not counted at all, and a client that makes up a new one each time is never limited: a missing
// key is a bypass. Let something behind demand it, or add a route that counts by address.
// - Route `argument`: it counts by query argument id and query string. A request without query
// argument id or without query string is not counted at all, and a client that makes up a new one
// each time is never limited: a missing key is a bypass. Let something behind demand it, or add a
// route that counts by address.
// - Route `label`: only requests that an earlier rule of the web ACL has labelled are counted.
import * as cdk from 'aws-cdk-lib';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

// Rate limits of the web ACL keys-acl
export class RateLimits extends Construct {
  // The web ACL keys-acl
  public readonly webAclArn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);

    const webAcl = new wafv2.CfnWebACL(this, 'WebAcl', {
      name: 'keys-acl',
      scope: 'CLOUDFRONT',
      defaultAction: {
        allow: {},
      },
      description: 'Rate limits, written by ratewaf emit',
      rules: [
        // keys-header: /header/*, by header x-api-key
        {
          name: 'keys-header',
          priority: 10,
          statement: {
            rateBasedStatement: {
              // Pinned in the policy: 100 requests per 300 s.
              // The lock has no figures for this route.
              limit: 100,
              evaluationWindowSec: 300,
              aggregateKeyType: 'CUSTOM_KEYS',
              customKeys: [
                {
                  header: {
                    name: 'x-api-key',
                    textTransformations: [
                      {
                        priority: 0,
                        type: 'NONE',
                      },
                    ],
                  },
                },
              ],
              scopeDownStatement: {
                byteMatchStatement: {
                  searchString: '/header/',
                  fieldToMatch: {
                    uriPath: {},
                  },
                  textTransformations: [
                    {
                      priority: 0,
                      type: 'URL_DECODE',
                    },
                    {
                      priority: 1,
                      type: 'NORMALIZE_PATH',
                    },
                    {
                      priority: 2,
                      type: 'LOWERCASE',
                    },
                  ],
                  positionalConstraint: 'STARTS_WITH',
                },
              },
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                responseHeaders: [
                  {
                    name: 'X-Contact',
                    value: 'sre@example.com',
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'keys-header',
          },
        },
        // keys-cookie: /cookie/*, by address and cookie Session
        {
          name: 'keys-cookie',
          priority: 20,
          statement: {
            rateBasedStatement: {
              // Pinned in the policy: 100 requests per 300 s.
              // The lock has no figures for this route.
              limit: 100,
              evaluationWindowSec: 300,
              aggregateKeyType: 'CUSTOM_KEYS',
              customKeys: [
                {
                  ip: {},
                },
                {
                  cookie: {
                    name: 'Session',
                    textTransformations: [
                      {
                        priority: 0,
                        type: 'NONE',
                      },
                    ],
                  },
                },
              ],
              scopeDownStatement: {
                byteMatchStatement: {
                  searchString: '/cookie/',
                  fieldToMatch: {
                    uriPath: {},
                  },
                  textTransformations: [
                    {
                      priority: 0,
                      type: 'URL_DECODE',
                    },
                    {
                      priority: 1,
                      type: 'NORMALIZE_PATH',
                    },
                    {
                      priority: 2,
                      type: 'LOWERCASE',
                    },
                  ],
                  positionalConstraint: 'STARTS_WITH',
                },
              },
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                responseHeaders: [
                  {
                    name: 'X-Contact',
                    value: 'sre@example.com',
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'keys-cookie',
          },
        },
        // keys-argument: /argument/*, by query argument id and query string
        {
          name: 'keys-argument',
          priority: 30,
          statement: {
            rateBasedStatement: {
              // Pinned in the policy: 100 requests per 300 s.
              // The lock has no figures for this route.
              limit: 100,
              evaluationWindowSec: 300,
              aggregateKeyType: 'CUSTOM_KEYS',
              customKeys: [
                {
                  queryArgument: {
                    name: 'id',
                    textTransformations: [
                      {
                        priority: 0,
                        type: 'NONE',
                      },
                    ],
                  },
                },
                {
                  queryString: {
                    textTransformations: [
                      {
                        priority: 0,
                        type: 'NONE',
                      },
                    ],
                  },
                },
              ],
              scopeDownStatement: {
                byteMatchStatement: {
                  searchString: '/argument/',
                  fieldToMatch: {
                    uriPath: {},
                  },
                  textTransformations: [
                    {
                      priority: 0,
                      type: 'URL_DECODE',
                    },
                    {
                      priority: 1,
                      type: 'NORMALIZE_PATH',
                    },
                    {
                      priority: 2,
                      type: 'LOWERCASE',
                    },
                  ],
                  positionalConstraint: 'STARTS_WITH',
                },
              },
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                responseHeaders: [
                  {
                    name: 'X-Contact',
                    value: 'sre@example.com',
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'keys-argument',
          },
        },
        // keys-path: /path/*, by address and path and method
        {
          name: 'keys-path',
          priority: 40,
          statement: {
            rateBasedStatement: {
              // Pinned in the policy: 100 requests per 300 s.
              // The lock has no figures for this route.
              limit: 100,
              evaluationWindowSec: 300,
              aggregateKeyType: 'CUSTOM_KEYS',
              customKeys: [
                {
                  ip: {},
                },
                {
                  uriPath: {
                    textTransformations: [
                      {
                        priority: 0,
                        type: 'URL_DECODE',
                      },
                      {
                        priority: 1,
                        type: 'NORMALIZE_PATH',
                      },
                      {
                        priority: 2,
                        type: 'LOWERCASE',
                      },
                    ],
                  },
                },
                {
                  httpMethod: {},
                },
              ],
              scopeDownStatement: {
                byteMatchStatement: {
                  searchString: '/path/',
                  fieldToMatch: {
                    uriPath: {},
                  },
                  textTransformations: [
                    {
                      priority: 0,
                      type: 'URL_DECODE',
                    },
                    {
                      priority: 1,
                      type: 'NORMALIZE_PATH',
                    },
                    {
                      priority: 2,
                      type: 'LOWERCASE',
                    },
                  ],
                  positionalConstraint: 'STARTS_WITH',
                },
              },
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                responseHeaders: [
                  {
                    name: 'X-Contact',
                    value: 'sre@example.com',
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'keys-path',
          },
        },
        // keys-tls: /tls/*, by JA3 fingerprint and JA4 fingerprint
        {
          name: 'keys-tls',
          priority: 50,
          statement: {
            rateBasedStatement: {
              // Pinned in the policy: 100 requests per 300 s.
              // The lock has no figures for this route.
              limit: 100,
              evaluationWindowSec: 300,
              aggregateKeyType: 'CUSTOM_KEYS',
              customKeys: [
                {
                  ja3Fingerprint: {
                    fallbackBehavior: 'MATCH',
                  },
                },
                {
                  ja4Fingerprint: {
                    fallbackBehavior: 'MATCH',
                  },
                },
              ],
              scopeDownStatement: {
                byteMatchStatement: {
                  searchString: '/tls/',
                  fieldToMatch: {
                    uriPath: {},
                  },
                  textTransformations: [
                    {
                      priority: 0,
                      type: 'URL_DECODE',
                    },
                    {
                      priority: 1,
                      type: 'NORMALIZE_PATH',
                    },
                    {
                      priority: 2,
                      type: 'LOWERCASE',
                    },
                  ],
                  positionalConstraint: 'STARTS_WITH',
                },
              },
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                responseHeaders: [
                  {
                    name: 'X-Contact',
                    value: 'sre@example.com',
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'keys-tls',
          },
        },
        // keys-label: /label/*, by labels of awswaf:managed:aws:bot-control:bot:name:
        {
          name: 'keys-label',
          priority: 60,
          statement: {
            rateBasedStatement: {
              // Pinned in the policy: 100 requests per 300 s.
              // The lock has no figures for this route.
              limit: 100,
              evaluationWindowSec: 300,
              aggregateKeyType: 'CUSTOM_KEYS',
              customKeys: [
                {
                  labelNamespace: {
                    namespace: 'awswaf:managed:aws:bot-control:bot:name:',
                  },
                },
              ],
              scopeDownStatement: {
                byteMatchStatement: {
                  searchString: '/label/',
                  fieldToMatch: {
                    uriPath: {},
                  },
                  textTransformations: [
                    {
                      priority: 0,
                      type: 'URL_DECODE',
                    },
                    {
                      priority: 1,
                      type: 'NORMALIZE_PATH',
                    },
                    {
                      priority: 2,
                      type: 'LOWERCASE',
                    },
                  ],
                  positionalConstraint: 'STARTS_WITH',
                },
              },
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                responseHeaders: [
                  {
                    name: 'X-Contact',
                    value: 'sre@example.com',
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'keys-label',
          },
        },
      ],
      visibilityConfig: {
        sampledRequestsEnabled: true,
        cloudWatchMetricsEnabled: true,
        metricName: 'keys-acl',
      },
    });

    this.webAclArn = webAcl.attrArn;
    new cdk.CfnOutput(this, 'WebAclArn', { description: 'The web ACL keys-acl', value: webAcl.attrArn });
  }
}
