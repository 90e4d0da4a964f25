// Rate limits of the web ACL asn-acl in front of CloudFront.
// Policy: ratewaf.yaml
// Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
// Written by ratewaf emit: change the policy and emit again, not this file.
// To compare the two: ratewaf emit --format cdk --check out/
// Deploy it in us-east-1.
// For a distribution: WebACLId is the output WebAclArn.
//
// Uses 1 of 10 rate-based rules and about 98 of 5,000 WCU (an estimate; AWS decides).
// Costs 6.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
// distribution (pay as you go, prices of 2026-06-01).
// With as many requests as the logs hold (114,144 in 168 hours): about 6.29 USD a month.
//
// Please note:
// - Route `login`: pinned 1,000; the lock has no figures for the route.
import * as cdk from 'aws-cdk-lib';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

// Rate limits of the web ACL asn-acl
export class RateLimits extends Construct {
  // The web ACL asn-acl
  public readonly webAclArn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);

    const webAcl = new wafv2.CfnWebACL(this, 'WebAcl', {
      name: 'asn-acl',
      scope: 'CLOUDFRONT',
      defaultAction: {
        allow: {},
      },
      description: 'Rate limits, written by ratewaf emit',
      rules: [
        // asn-login: POST /login, by network operator (ASN)
        {
          name: 'asn-login',
          priority: 10,
          statement: {
            rateBasedStatement: {
              // Pinned in the policy: 1,000 requests per 300 s.
              // The lock has no figures for this route.
              limit: 1000,
              evaluationWindowSec: 300,
              aggregateKeyType: 'CUSTOM_KEYS',
              customKeys: [
                {
                  asn: {},
                },
              ],
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
                  ],
                },
              },
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: 'asn-limited',
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
            metricName: 'asn-login',
          },
        },
      ],
      visibilityConfig: {
        sampledRequestsEnabled: true,
        cloudWatchMetricsEnabled: true,
        metricName: 'asn-acl',
      },
      customResponseBodies: {
        'asn-limited': {
          contentType: 'APPLICATION_JSON',
          content: '{"error":"too_many_requests","message":"Rate limit exceeded. Try again later."}',
        },
      },
    });

    this.webAclArn = webAcl.attrArn;
    new cdk.CfnOutput(this, 'WebAclArn', { description: 'The web ACL asn-acl', value: webAcl.attrArn });
  }
}
