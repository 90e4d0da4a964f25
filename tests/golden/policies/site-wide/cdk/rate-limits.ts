// Rate limits of the web ACL site-acl in front of CloudFront.
// Policy: ratewaf.yaml
// Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
// Written by ratewaf emit: change the policy and emit again, not this file.
// To compare the two: ratewaf emit --format cdk --check out/
// Deploy it in us-east-1.
// For a distribution: WebACLId is the output WebAclArn.
//
// Uses 4 of 10 rate-based rules and about 404 of 5,000 WCU (an estimate; AWS decides).
// Costs 9.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
// distribution (pay as you go, prices of 2026-06-01).
// With as many requests as the logs hold (114,144 in 168 hours): about 9.29 USD a month.
//
// Never limited:
// - /healthz (health): left out of site-site-wide, site-all-load-test
//
// Please note:
// - Route `login`: pinned 30; the lock has no figures for the route.
// - Route `search`: pinned 300; the lock has no figures for the route.
// - Route `site-wide`: pinned 3,000; the lock has no figures for the route.
import * as cdk from 'aws-cdk-lib';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

// Rate limits of the web ACL site-acl
export class RateLimits extends Construct {
  // The web ACL site-acl
  public readonly webAclArn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);

    // load-test (tester), not counted by site-login, site-search, site-site-wide, counted alone by
    // site-all-load-test
    const siteLoadTestV4IpSet = new wafv2.CfnIPSet(this, 'SiteLoadTestV4IpSet', {
      name: 'site-load-test-v4',
      scope: 'CLOUDFRONT',
      ipAddressVersion: 'IPV4',
      addresses: [
        '192.0.2.0/28',
      ],
    });

    const siteLoadTestV6IpSet = new wafv2.CfnIPSet(this, 'SiteLoadTestV6IpSet', {
      name: 'site-load-test-v6',
      scope: 'CLOUDFRONT',
      ipAddressVersion: 'IPV6',
      addresses: [
        '2001:db8:9::/64',
      ],
    });

    const webAcl = new wafv2.CfnWebACL(this, 'WebAcl', {
      name: 'site-acl',
      scope: 'CLOUDFRONT',
      defaultAction: {
        allow: {},
      },
      description: 'Rate limits, written by ratewaf emit',
      rules: [
        // site-login: POST /login, everybody but load-test
        {
          name: 'site-login',
          priority: 10,
          statement: {
            rateBasedStatement: {
              // Pinned in the policy: 30 requests per 300 s.
              // The lock has no figures for this route.
              limit: 30,
              evaluationWindowSec: 300,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                andStatement: {
                  statements: [
                    {
                      orStatement: {
                        statements: [
                          {
                            byteMatchStatement: {
                              searchString: '/login',
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
                              positionalConstraint: 'EXACTLY',
                            },
                          },
                          {
                            byteMatchStatement: {
                              searchString: '/login/',
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
                              positionalConstraint: 'EXACTLY',
                            },
                          },
                        ],
                      },
                    },
                    {
                      byteMatchStatement: {
                        searchString: 'POST',
                        fieldToMatch: {
                          method: {},
                        },
                        textTransformations: [
                          {
                            priority: 0,
                            type: 'NONE',
                          },
                        ],
                        positionalConstraint: 'EXACTLY',
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          ipSetReferenceStatement: {
                            arn: siteLoadTestV4IpSet.attrArn,
                          },
                        },
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          ipSetReferenceStatement: {
                            arn: siteLoadTestV6IpSet.attrArn,
                          },
                        },
                      },
                    },
                  ],
                },
              },
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: 'site-limited',
                responseHeaders: [
                  {
                    name: 'Retry-After',
                    value: '300',
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'site-login',
          },
        },
        // site-search: POST /search*, everybody but load-test
        {
          name: 'site-search',
          priority: 20,
          statement: {
            rateBasedStatement: {
              // Pinned in the policy: 300 requests per 300 s.
              // The lock has no figures for this route.
              limit: 300,
              evaluationWindowSec: 300,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                andStatement: {
                  statements: [
                    {
                      byteMatchStatement: {
                        searchString: '/search',
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
                    {
                      byteMatchStatement: {
                        searchString: 'POST',
                        fieldToMatch: {
                          method: {},
                        },
                        textTransformations: [
                          {
                            priority: 0,
                            type: 'NONE',
                          },
                        ],
                        positionalConstraint: 'EXACTLY',
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          ipSetReferenceStatement: {
                            arn: siteLoadTestV4IpSet.attrArn,
                          },
                        },
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          ipSetReferenceStatement: {
                            arn: siteLoadTestV6IpSet.attrArn,
                          },
                        },
                      },
                    },
                  ],
                },
              },
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: 'site-limited',
                responseHeaders: [
                  {
                    name: 'Retry-After',
                    value: '300',
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'site-search',
          },
        },
        // site-site-wide: /*, everybody but load-test
        {
          name: 'site-site-wide',
          priority: 30,
          statement: {
            rateBasedStatement: {
              // Pinned in the policy: 3,000 requests per 300 s.
              // The lock has no figures for this route.
              limit: 3000,
              evaluationWindowSec: 300,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                andStatement: {
                  statements: [
                    {
                      byteMatchStatement: {
                        searchString: '/',
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
                    {
                      notStatement: {
                        statement: {
                          ipSetReferenceStatement: {
                            arn: siteLoadTestV4IpSet.attrArn,
                          },
                        },
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          ipSetReferenceStatement: {
                            arn: siteLoadTestV6IpSet.attrArn,
                          },
                        },
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          byteMatchStatement: {
                            searchString: '/healthz',
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
                            positionalConstraint: 'EXACTLY',
                          },
                        },
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          byteMatchStatement: {
                            searchString: '/healthz/',
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
                            positionalConstraint: 'EXACTLY',
                          },
                        },
                      },
                    },
                  ],
                },
              },
            },
          },
          action: {
            challenge: {},
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'site-site-wide',
          },
        },
        // site-all-load-test: POST /login, POST /search*, /*, load-test only
        {
          name: 'site-all-load-test',
          priority: 40,
          statement: {
            rateBasedStatement: {
              // The larger of 10 times the highest main limit 3,000 and twice the sum of the network's busiest
              // peaks on the routes, 0 requests.
              // One rule for all routes: it counts their requests together, whatever the method where the routes
              // differ in it.
              limit: 30000,
              evaluationWindowSec: 300,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                andStatement: {
                  statements: [
                    {
                      orStatement: {
                        statements: [
                          {
                            byteMatchStatement: {
                              searchString: '/login',
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
                              positionalConstraint: 'EXACTLY',
                            },
                          },
                          {
                            byteMatchStatement: {
                              searchString: '/login/',
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
                              positionalConstraint: 'EXACTLY',
                            },
                          },
                          {
                            byteMatchStatement: {
                              searchString: '/search',
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
                          {
                            byteMatchStatement: {
                              searchString: '/',
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
                        ],
                      },
                    },
                    {
                      orStatement: {
                        statements: [
                          {
                            ipSetReferenceStatement: {
                              arn: siteLoadTestV4IpSet.attrArn,
                            },
                          },
                          {
                            ipSetReferenceStatement: {
                              arn: siteLoadTestV6IpSet.attrArn,
                            },
                          },
                        ],
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          byteMatchStatement: {
                            searchString: '/healthz',
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
                            positionalConstraint: 'EXACTLY',
                          },
                        },
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          byteMatchStatement: {
                            searchString: '/healthz/',
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
                            positionalConstraint: 'EXACTLY',
                          },
                        },
                      },
                    },
                  ],
                },
              },
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: 'site-limited',
                responseHeaders: [
                  {
                    name: 'Retry-After',
                    value: '300',
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'site-all-load-test',
          },
        },
      ],
      visibilityConfig: {
        sampledRequestsEnabled: true,
        cloudWatchMetricsEnabled: true,
        metricName: 'site-acl',
      },
      customResponseBodies: {
        'site-limited': {
          contentType: 'APPLICATION_JSON',
          content: '{"error":"too_many_requests","message":"Rate limit exceeded. Try again later."}',
        },
      },
    });

    this.webAclArn = webAcl.attrArn;
    new cdk.CfnOutput(this, 'WebAclArn', { description: 'The web ACL site-acl', value: webAcl.attrArn });
  }
}
