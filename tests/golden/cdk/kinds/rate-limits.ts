// Rate limits of the web ACL prod in front of CloudFront.
// From ratewaf.yaml and ratewaf.lock.json.
// Written by ratewaf emit: change the policy and emit again, not this file.
// To compare the two: ratewaf emit --check FILE
// Deploy it in us-east-1.
// For a distribution: WebACLId is the output WebAclArn.
//
// Uses 5 of 10 rate-based rules and about 213 of 5,000 WCU (an estimate; AWS decides).
// Costs 10.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
// distribution (pay as you go, prices of 2026-06-01).
import * as cdk from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

// Rate limits of the web ACL prod
export class RateLimits extends Construct {
  // The web ACL prod
  public readonly webAclArn: string;
  // The SNS topic of the rate-limit alarms
  public readonly alarmTopicArn: string;

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
        // acl-strict: GET /Strict/Path
        {
          name: 'acl-strict',
          priority: 10,
          statement: {
            rateBasedStatement: {
              // 60 requests per 300 s (12 per minute): 1.60x above the busiest normal client (187), 1.56x below
              // the weakest abusive one (468)
              // Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
              // Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
              // The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
              // clients above it; clients above the proposed limit sent 36 % of the requests.
              // Peaks just below the proposed limit: 187, 128, 103, 99, 88.
              // Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
              limit: 60,
              evaluationWindowSec: 60,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                andStatement: {
                  statements: [
                    {
                      byteMatchStatement: {
                        searchString: '/strict/path',
                        fieldToMatch: {
                          uriPath: {},
                        },
                        textTransformations: [
                          {
                            priority: 0,
                            type: 'LOWERCASE',
                          },
                        ],
                        positionalConstraint: 'EXACTLY',
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
                responseCode: 503,
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'acl-strict',
          },
        },
        // acl-regex: POST ~^/v[0-9]+/login$
        {
          name: 'acl-regex',
          priority: 20,
          statement: {
            rateBasedStatement: {
              // 100 requests per 300 s (20 per minute): 1.60x above the busiest normal client (187), 1.56x below
              // the weakest abusive one (468)
              // Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
              // Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
              // The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
              // clients above it; clients above the proposed limit sent 36 % of the requests.
              // Peaks just below the proposed limit: 187, 128, 103, 99, 88.
              // Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
              limit: 100,
              evaluationWindowSec: 120,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                andStatement: {
                  statements: [
                    {
                      regexMatchStatement: {
                        regexString: '^/v[0-9]+/login$',
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
                responseCode: 503,
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'acl-regex',
          },
        },
        // acl-host: GET shop.example/api/*
        {
          name: 'acl-host',
          priority: 30,
          statement: {
            rateBasedStatement: {
              // 500 requests per 300 s (1.67 per second): 1.60x above the busiest normal client (187), 1.56x
              // below the weakest abusive one (468)
              // Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
              // Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
              // The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
              // clients above it; clients above the proposed limit sent 36 % of the requests.
              // Peaks just below the proposed limit: 187, 128, 103, 99, 88.
              // Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
              limit: 500,
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
                        searchString: 'shop.example',
                        fieldToMatch: {
                          singleHeader: {
                            Name: 'host',
                          },
                        },
                        textTransformations: [
                          {
                            priority: 0,
                            type: 'LOWERCASE',
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
            challenge: {},
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'acl-host',
          },
        },
        // acl-php: *.php
        {
          name: 'acl-php',
          priority: 40,
          statement: {
            rateBasedStatement: {
              // 10 requests per 300 s (2 per minute): 1.60x above the busiest normal client (187), 1.56x below
              // the weakest abusive one (468)
              // Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
              // Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
              // The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
              // clients above it; clients above the proposed limit sent 36 % of the requests.
              // Peaks just below the proposed limit: 187, 128, 103, 99, 88.
              // Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
              limit: 10,
              evaluationWindowSec: 600,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                orStatement: {
                  statements: [
                    {
                      byteMatchStatement: {
                        searchString: '.php',
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
                        positionalConstraint: 'ENDS_WITH',
                      },
                    },
                    {
                      byteMatchStatement: {
                        searchString: '.php/',
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
                        positionalConstraint: 'ENDS_WITH',
                      },
                    },
                  ],
                },
              },
            },
          },
          action: {
            captcha: {},
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'acl-php',
          },
        },
        // acl-report: GET,POST */report/* (counts only, stops nobody)
        {
          name: 'acl-report',
          priority: 50,
          statement: {
            rateBasedStatement: {
              // 1000 requests per 300 s (3.33 per second): 1.60x above the busiest normal client (187), 1.56x
              // below the weakest abusive one (468)
              // Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
              // Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
              // The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
              // clients above it; clients above the proposed limit sent 36 % of the requests.
              // Peaks just below the proposed limit: 187, 128, 103, 99, 88.
              // Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
              limit: 1000,
              evaluationWindowSec: 300,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                andStatement: {
                  statements: [
                    {
                      byteMatchStatement: {
                        searchString: '/report/',
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
                        positionalConstraint: 'CONTAINS',
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
            metricName: 'acl-report',
          },
        },
      ],
      visibilityConfig: {
        sampledRequestsEnabled: true,
        cloudWatchMetricsEnabled: true,
        metricName: 'prod',
      },
    });

    // Subscribe to it where you keep subscriptions; it has none of its own.
    const alarmTopic = new sns.CfnTopic(this, 'AlarmTopic', {
      topicName: 'acl-alarms',
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
    new cloudwatch.CfnAlarm(this, 'AclStrictOverLimitAlarm', {
      alarmName: 'acl-strict-over-limit',
      alarmDescription: 'Requests over the limit of acl-strict were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'prod',
        },
        {
          name: 'Rule',
          value: 'acl-strict',
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
        alarmTopic.ref,
      ],
      okActions: [
        alarmTopic.ref,
      ],
    });

    new cloudwatch.CfnAlarm(this, 'AclRegexOverLimitAlarm', {
      alarmName: 'acl-regex-over-limit',
      alarmDescription: 'Requests over the limit of acl-regex were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'prod',
        },
        {
          name: 'Rule',
          value: 'acl-regex',
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
        alarmTopic.ref,
      ],
      okActions: [
        alarmTopic.ref,
      ],
    });

    new cloudwatch.CfnAlarm(this, 'AclHostOverLimitAlarm', {
      alarmName: 'acl-host-over-limit',
      alarmDescription: 'Requests over the limit of acl-host were challenged within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'ChallengeRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'prod',
        },
        {
          name: 'Rule',
          value: 'acl-host',
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
        alarmTopic.ref,
      ],
      okActions: [
        alarmTopic.ref,
      ],
    });

    new cloudwatch.CfnAlarm(this, 'AclPhpOverLimitAlarm', {
      alarmName: 'acl-php-over-limit',
      alarmDescription: 'Requests over the limit of acl-php were given a CAPTCHA within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'CaptchaRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'prod',
        },
        {
          name: 'Rule',
          value: 'acl-php',
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
        alarmTopic.ref,
      ],
      okActions: [
        alarmTopic.ref,
      ],
    });

    new cloudwatch.CfnAlarm(this, 'AclReportOverLimitAlarm', {
      alarmName: 'acl-report-over-limit',
      alarmDescription: 'Requests over the limit of acl-report were counted within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'CountedRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'prod',
        },
        {
          name: 'Rule',
          value: 'acl-report',
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
        alarmTopic.ref,
      ],
      okActions: [
        alarmTopic.ref,
      ],
    });

    this.webAclArn = webAcl.attrArn;
    new cdk.CfnOutput(this, 'WebAclArn', { description: 'The web ACL prod', value: webAcl.attrArn });
    this.alarmTopicArn = alarmTopic.ref;
    new cdk.CfnOutput(this, 'AlarmTopicArn', { description: 'The SNS topic of the rate-limit alarms', value: alarmTopic.ref });
  }
}
