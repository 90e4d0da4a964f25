// Rate limits of the web ACL prod in front of CloudFront.
// Policy: ratewaf.yaml
// Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
// Written by ratewaf emit: change the policy and emit again, not this file.
// To compare the two: ratewaf emit --format cdk --count-mode --check out/
// Every rule only counts because of --count-mode.
// Deploy it in us-east-1.
// For a distribution: WebACLId is the output WebAclArn.
//
// Uses 1 of 10 rate-based rules and about 68 of 5,000 WCU (an estimate; AWS decides).
// Costs 6.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
// distribution (pay as you go, prices of 2026-06-01).
// With as many requests as the logs hold (114,144 in 168 hours): about 6.29 USD a month.
//
// Please note:
// - Route `login`: pinned 30; the lock has no figures for the route.
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
        // acl-login: POST /login (counts only, stops nobody)
        {
          name: 'acl-login',
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
                  ],
                },
              },
            },
          },
          action: {
            count: {},
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'acl-login',
          },
        },
      ],
      visibilityConfig: {
        sampledRequestsEnabled: true,
        cloudWatchMetricsEnabled: true,
        metricName: 'prod',
      },
    });

    // Kept are the requests that a rule acted on, also those that it only counted: the evidence for
    // the limits in force.
    // Without path and method these records cannot be told apart by route, so ratewaf analyze cannot
    // use them.
    new wafv2.CfnLoggingConfiguration(this, 'WafLogging', {
      resourceArn: webAcl.attrArn,
      logDestinationConfigs: [
        `arn:${cdk.Aws.PARTITION}:s3:::aws-waf-logs-acl-123456789012`,
      ],
      redactedFields: [
        {
          uriPath: {},
        },
        {
          method: {},
        },
      ],
      loggingFilter: {
        Filters: [
          {
            Behavior: 'KEEP',
            Requirement: 'MEETS_ANY',
            Conditions: [
              {
                ActionCondition: {
                  Action: 'BLOCK',
                },
              },
              {
                ActionCondition: {
                  Action: 'COUNT',
                },
              },
              {
                ActionCondition: {
                  Action: 'CAPTCHA',
                },
              },
              {
                ActionCondition: {
                  Action: 'CHALLENGE',
                },
              },
            ],
          },
        ],
        DefaultBehavior: 'DROP',
      },
    });

    this.webAclArn = webAcl.attrArn;
    new cdk.CfnOutput(this, 'WebAclArn', { description: 'The web ACL prod', value: webAcl.attrArn });
  }
}
