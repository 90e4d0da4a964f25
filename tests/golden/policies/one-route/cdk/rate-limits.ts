// Rate limits of the web ACL prod in front of CloudFront.
// Policy: ratewaf.yaml
// Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
// Written by ratewaf emit: change the policy and emit again, not this file.
// To compare the two: ratewaf emit --format cdk --check out/
// Deploy it in us-east-1.
// For a distribution: WebACLId is the output WebAclArn.
//
// Uses 1 of 10 rate-based rules and about 68 of 5,000 WCU (an estimate; AWS decides).
// Costs 6.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
// distribution (pay as you go, prices of 2026-06-01).
// With as many requests as the logs hold (114,144 in 168 hours): about 6.29 USD a month.
//
// Please note:
// - Route `token`: the networks changed since the logs were read (qa-runner removed): run `ratewaf
// analyze` again.
import * as cdk from 'aws-cdk-lib';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

// Rate limits of the web ACL prod
export class RateLimits extends Construct {
  // The web ACL prod
  public readonly webAclArn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);

    const webAcl = new wafv2.CfnWebACL(this, 'WebAcl', {
      name: 'prod',
      scope: 'CLOUDFRONT',
      defaultAction: {
        allow: {},
      },
      description: 'Rate limits, written by ratewaf emit',
      rules: [
        // acl-token: GET /api/v1/token
        {
          name: 'acl-token',
          priority: 10,
          statement: {
            rateBasedStatement: {
              // 300 requests per 300 s (1 per second): 1.60x above the busiest normal client (187), 1.56x below
              // the weakest abusive one (468)
              // Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
              // Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
              // The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
              // clients above it; clients above the proposed limit sent 36 % of the requests.
              // Peaks just below the proposed limit: 187, 128, 103, 99, 88.
              // Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
              // Warning all-day: 1 client (address withheld) called in at least 90 % of the 168 hours and stayed
              // under the limit, with up to 16,036 requests: listed without a claim, but a limit on peaks does
              // not see slow machines.
              limit: 300,
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
                              searchString: '/api/v1/token',
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
                              searchString: '/api/v1/token/',
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
                        searchString: 'GET',
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
                  ],
                },
              },
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: 'acl-limited',
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
            metricName: 'acl-token',
          },
        },
      ],
      visibilityConfig: {
        sampledRequestsEnabled: true,
        cloudWatchMetricsEnabled: true,
        metricName: 'prod',
      },
      customResponseBodies: {
        'acl-limited': {
          contentType: 'APPLICATION_JSON',
          content: '{"error":"too_many_requests","message":"Rate limit exceeded. Try again later."}',
        },
      },
    });

    this.webAclArn = webAcl.attrArn;
    new cdk.CfnOutput(this, 'WebAclArn', { description: 'The web ACL prod', value: webAcl.attrArn });
  }
}
