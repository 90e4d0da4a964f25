// Rate limits of the web ACL prod in front of CloudFront.
// From ratewaf.yaml and ratewaf.lock.json.
// Written by ratewaf emit: change the policy and emit again, not this file.
// To compare the two: ratewaf emit --check FILE
// Deploy it in us-east-1.
// For a distribution: WebACLId is the output WebAclArn.
//
// Uses 3 of 10 rate-based rules and about 212 of 5,000 WCU (an estimate; AWS decides).
// Costs 8.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
// distribution (pay as you go, prices of 2026-06-01).
//
// Never limited:
// - /api/webhooks/* (webhooks): left out of acl-api
// - /healthz (health): no rule looks at that path
//
// Please note:
// - GET /feed.json: no rule, as there is no gap (two classes of clients).
import * as cdk from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

// Rate limits of the web ACL prod
export class RateLimits extends Construct {
  // The web ACL prod
  public readonly webAclArn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);

    // qa-runner (tester, until 2027-03-01), not counted by acl-token, acl-api, counted alone by
    // acl-token-qa-runner
    const aclQaRunnerV4IpSet = new wafv2.CfnIPSet(this, 'AclQaRunnerV4IpSet', {
      name: 'acl-qa-runner-v4',
      scope: 'CLOUDFRONT',
      ipAddressVersion: 'IPV4',
      addresses: [
        '203.0.113.10/31',
      ],
    });

    const aclQaRunnerV6IpSet = new wafv2.CfnIPSet(this, 'AclQaRunnerV6IpSet', {
      name: 'acl-qa-runner-v6',
      scope: 'CLOUDFRONT',
      ipAddressVersion: 'IPV6',
      addresses: [
        '2001:db8:7::/64',
      ],
    });

    // unused (tester, until 2027-03-01): no rule names it now. AWS deletes no set that is still in
    // use, and Terraform deletes it before it updates the rules; so it stays while the policy has it.
    // Apply this, then remove the network from the policy.
    new wafv2.CfnIPSet(this, 'AclUnusedV4IpSet', {
      name: 'acl-unused-v4',
      scope: 'CLOUDFRONT',
      ipAddressVersion: 'IPV4',
      addresses: [
        '192.0.2.0/24',
      ],
    });

    const webAcl = new wafv2.CfnWebACL(this, 'WebAcl', {
      name: 'prod',
      scope: 'CLOUDFRONT',
      defaultAction: {
        allow: {},
      },
      description: 'Rate limits, written by ratewaf emit',
      rules: [
        // acl-token-qa-runner: GET,HEAD /oauth/token, qa-runner only
        {
          name: 'acl-token-qa-runner',
          priority: 10,
          statement: {
            rateBasedStatement: {
              // The larger of 10x the main limit and 2x the busiest tester.
              limit: 3000,
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
                              searchString: '/oauth/token',
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
                              searchString: '/oauth/token/',
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
                      orStatement: {
                        statements: [
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
                          {
                            byteMatchStatement: {
                              searchString: 'HEAD',
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
                    {
                      orStatement: {
                        statements: [
                          {
                            ipSetReferenceStatement: {
                              arn: aclQaRunnerV4IpSet.attrArn,
                            },
                          },
                          {
                            ipSetReferenceStatement: {
                              arn: aclQaRunnerV6IpSet.attrArn,
                            },
                          },
                        ],
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
            metricName: 'acl-token-qa-runner',
          },
        },
        // acl-token: GET,HEAD /oauth/token, everybody but qa-runner
        {
          name: 'acl-token',
          priority: 20,
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
                              searchString: '/oauth/token',
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
                              searchString: '/oauth/token/',
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
                      orStatement: {
                        statements: [
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
                          {
                            byteMatchStatement: {
                              searchString: 'HEAD',
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
                    {
                      notStatement: {
                        statement: {
                          ipSetReferenceStatement: {
                            arn: aclQaRunnerV4IpSet.attrArn,
                          },
                        },
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          ipSetReferenceStatement: {
                            arn: aclQaRunnerV6IpSet.attrArn,
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
        // acl-api: /api/*, everybody but qa-runner
        {
          name: 'acl-api',
          priority: 30,
          statement: {
            rateBasedStatement: {
              // 2000 requests per 300 s (6.67 per second): 1.60x above the busiest normal client (187), 1.56x
              // below the weakest abusive one (468)
              // Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
              // Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
              // The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
              // clients above it; clients above the proposed limit sent 36 % of the requests.
              // Peaks just below the proposed limit: 187, 128, 103, 99, 88.
              // Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
              limit: 2000,
              evaluationWindowSec: 300,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                andStatement: {
                  statements: [
                    {
                      byteMatchStatement: {
                        searchString: '/api/',
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
                            arn: aclQaRunnerV4IpSet.attrArn,
                          },
                        },
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          ipSetReferenceStatement: {
                            arn: aclQaRunnerV6IpSet.attrArn,
                          },
                        },
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          byteMatchStatement: {
                            searchString: '/api/webhooks/',
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
            metricName: 'acl-api',
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
          content: '{"error":"too_many_requests","message":"Please slow down."}',
        },
      },
    });

    // A web ACL for CloudFront has metrics without a Region dimension: with one, an alarm sees no data
    // and stays green. Figures are sent only when there is something to count.
    new cloudwatch.CfnAlarm(this, 'AclTokenQaRunnerOverLimitAlarm', {
      alarmName: 'acl-token-qa-runner-over-limit',
      alarmDescription: 'Requests over the limit of acl-token-qa-runner were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'prod',
        },
        {
          name: 'Rule',
          value: 'acl-token-qa-runner',
        },
      ],
      statistic: 'Sum',
      period: 300,
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      comparisonOperator: 'GreaterThanThreshold',
      threshold: 0,
      treatMissingData: 'notBreaching',
      alarmActions: [
        'arn:aws:sns:us-east-1:123456789012:alerts',
      ],
      okActions: [
        'arn:aws:sns:us-east-1:123456789012:alerts',
      ],
    });

    new cloudwatch.CfnAlarm(this, 'AclTokenOverLimitAlarm', {
      alarmName: 'acl-token-over-limit',
      alarmDescription: 'Requests over the limit of acl-token were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'prod',
        },
        {
          name: 'Rule',
          value: 'acl-token',
        },
      ],
      statistic: 'Sum',
      period: 300,
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      comparisonOperator: 'GreaterThanThreshold',
      threshold: 0,
      treatMissingData: 'notBreaching',
      alarmActions: [
        'arn:aws:sns:us-east-1:123456789012:alerts',
      ],
      okActions: [
        'arn:aws:sns:us-east-1:123456789012:alerts',
      ],
    });

    new cloudwatch.CfnAlarm(this, 'AclApiOverLimitAlarm', {
      alarmName: 'acl-api-over-limit',
      alarmDescription: 'Requests over the limit of acl-api were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'prod',
        },
        {
          name: 'Rule',
          value: 'acl-api',
        },
      ],
      statistic: 'Sum',
      period: 300,
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      comparisonOperator: 'GreaterThanThreshold',
      threshold: 0,
      treatMissingData: 'notBreaching',
      alarmActions: [
        'arn:aws:sns:us-east-1:123456789012:alerts',
      ],
      okActions: [
        'arn:aws:sns:us-east-1:123456789012:alerts',
      ],
    });

    this.webAclArn = webAcl.attrArn;
    new cdk.CfnOutput(this, 'WebAclArn', { description: 'The web ACL prod', value: webAcl.attrArn });
  }
}
