// Rate limits of the web ACL loud-acl in front of CloudFront.
// Policy: ratewaf.yaml
// Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
// Written by ratewaf emit: change the policy and emit again, not this file.
// To compare the two: ratewaf emit --format cdk --check out/
// Deploy it in us-east-1.
// For a distribution: WebACLId is the output WebAclArn.
//
// Uses 2 of 10 rate-based rules and about 136 of 5,000 WCU (an estimate; AWS decides).
// Costs 7.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
// distribution (pay as you go, prices of 2026-06-01).
// With as many requests as the logs hold (114,144 in 168 hours): about 7.29 USD a month.
//
// Please note:
// - Route `login`: pinned 30; the lock has no figures for the route.
import * as cdk from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

// Rate limits of the web ACL loud-acl
export class RateLimits extends Construct {
  // The web ACL loud-acl
  public readonly webAclArn: string;
  // The SNS topic of the rate-limit alarms
  public readonly alarmTopicArn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);

    // loud-login-second: POST /login
    // 2 times the main limit 30: its alarm is about clients that are far above the limit, not just
    // keen.
    const loudLoginSecondLimit = 60;
    const loudLoginSecondWindow = 300;

    // loud-login: POST /login
    // Pinned in the policy: 30 requests per 300 s.
    // The lock has no figures for this route.
    const loudLoginLimit = 30;
    const loudLoginWindow = 300;

    const webAcl = new wafv2.CfnWebACL(this, 'WebAcl', {
      name: 'loud-acl',
      scope: 'CLOUDFRONT',
      defaultAction: {
        allow: {},
      },
      description: 'Rate limits, written by ratewaf emit',
      rules: [
        // loud-login-second: POST /login
        {
          name: 'loud-login-second',
          priority: 5,
          statement: {
            rateBasedStatement: {
              limit: loudLoginSecondLimit,
              evaluationWindowSec: loudLoginSecondWindow,
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
            block: {
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: 'loud-limited',
                responseHeaders: [
                  {
                    name: 'Retry-After',
                    value: '300',
                  },
                  {
                    name: 'RateLimit-Policy',
                    value: `"loud-login";q=${loudLoginLimit};w=${loudLoginWindow}`,
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'loud-login-second',
          },
        },
        // loud-login: POST /login
        {
          name: 'loud-login',
          priority: 10,
          statement: {
            rateBasedStatement: {
              limit: loudLoginLimit,
              evaluationWindowSec: loudLoginWindow,
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
            block: {
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: 'loud-limited',
                responseHeaders: [
                  {
                    name: 'Retry-After',
                    value: '300',
                  },
                  {
                    name: 'RateLimit-Policy',
                    value: `"loud-login";q=${loudLoginLimit};w=${loudLoginWindow}`,
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'loud-login',
          },
        },
      ],
      visibilityConfig: {
        sampledRequestsEnabled: true,
        cloudWatchMetricsEnabled: true,
        metricName: 'loud-acl',
      },
      customResponseBodies: {
        'loud-limited': {
          contentType: 'APPLICATION_JSON',
          content: '{"error":"too_many_requests","message":"Rate limit exceeded. Try again later."}',
        },
      },
    });

    // Subscribe to it where you keep subscriptions; it has none of its own.
    const alarmTopic = new sns.CfnTopic(this, 'AlarmTopic', {
      topicName: 'loud-alarms',
    });

    new sns.CfnTopicPolicy(this, 'AlarmTopicPolicy', {
      topics: [
        alarmTopic.ref,
      ],
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Sid: 'CloudWatchAlarmsOfThisAccount',
            Effect: 'Allow',
            Principal: {
              Service: 'cloudwatch.amazonaws.com',
            },
            Action: 'sns:Publish',
            Resource: alarmTopic.ref,
            Condition: {
              StringEquals: {
                'aws:SourceAccount': cdk.Aws.ACCOUNT_ID,
              },
            },
          },
        ],
      },
    });

    // A web ACL for CloudFront has metrics without a Region dimension: with one, an alarm sees no data
    // and stays green. Figures are sent only when there is something to count.
    // Tells nobody until the end of 2027-01-31: the login loop, bug 4711
    new cloudwatch.CfnAlarm(this, 'LoudLoginSecondOverLimitAlarm', {
      alarmName: 'loud-login-second-over-limit',
      alarmDescription: 'Requests over the limit of loud-login-second were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'loud-acl',
        },
        {
          name: 'Rule',
          value: 'loud-login-second',
        },
      ],
      statistic: 'Sum',
      period: 300,
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      comparisonOperator: 'GreaterThanThreshold',
      threshold: 0,
      treatMissingData: 'notBreaching',
      actionsEnabled: false,
      alarmActions: [
        alarmTopic.ref,
      ],
      okActions: [
        alarmTopic.ref,
      ],
    });

    this.webAclArn = webAcl.attrArn;
    new cdk.CfnOutput(this, 'WebAclArn', { description: 'The web ACL loud-acl', value: webAcl.attrArn });
    this.alarmTopicArn = alarmTopic.ref;
    new cdk.CfnOutput(this, 'AlarmTopicArn', { description: 'The SNS topic of the rate-limit alarms', value: alarmTopic.ref });
  }
}
