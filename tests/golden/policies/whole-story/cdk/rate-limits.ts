// Rate limits of the web ACL prod in front of CloudFront.
// Policy: ratewaf.yaml
// Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
// Written by ratewaf emit: change the policy and emit again, not this file.
// To compare the two: ratewaf emit --format cdk --check out/
// Deploy it in us-east-1.
// For a distribution: WebACLId is the output WebAclArn.
//
// Uses 4 of 10 rate-based rules and about 284 of 5,000 WCU (an estimate; AWS decides).
// Costs 9.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
// distribution (pay as you go, prices of 2026-06-01).
// With as many requests as the logs hold (114,144 in 168 hours): about 9.29 USD a month.
//
// Never limited:
// - /api/v2/search/webhooks/* (webhooks): left out of acl-search, acl-search-qa-runner
// - /healthz (health): no rule looks at that path
//
// Please note:
// - Route `search`: pinned 600: at or above every peak of these logs (largest 0): it never acts.
// The logs give no limit (too few clients).
import * as cdk from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as logs from 'aws-cdk-lib/aws-logs';
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

    // acl-token: GET /api/v1/token, everybody but qa-runner
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
    const aclTokenLimit = 300;
    const aclTokenWindow = 300;

    // acl-token-qa-runner: GET /api/v1/token, qa-runner only
    // Counts the network `qa-runner` only. 3,000 (10 per second): 10x the main limit 300.
    // It does not occur in the logs of this route.
    const aclTokenQaRunnerLimit = 3000;
    const aclTokenQaRunnerWindow = 300;

    // acl-search: GET,HEAD /api/v2/search*, everybody but qa-runner
    // Pinned in the policy: 600 requests per 300 s. The logs propose no limit.
    // Grade none; 0 clients and 0 requests, 2026-09-08 to 2026-09-14.
    // Peaks in any 300 s: half of the clients at most 0, 90 % 0, 99 % 0, largest 0.
    const aclSearchLimit = 600;
    const aclSearchWindow = 300;

    // acl-search-qa-runner: GET,HEAD /api/v2/search*, qa-runner only
    // Counts the network `qa-runner` only. 6,000 (20 per second): 10x the main limit 600.
    // It does not occur in the logs of this route.
    const aclSearchQaRunnerLimit = 6000;
    const aclSearchQaRunnerWindow = 300;

    // qa-runner (tester, until 2027-03-01), not counted by acl-token, acl-search, counted alone by
    // acl-token-qa-runner, acl-search-qa-runner
    const aclQaRunnerV4IpSet = new wafv2.CfnIPSet(this, 'AclQaRunnerV4IpSet', {
      name: 'acl-qa-runner-v4',
      scope: 'CLOUDFRONT',
      ipAddressVersion: 'IPV4',
      addresses: [
        '198.51.100.20/32',
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

    const webAcl = new wafv2.CfnWebACL(this, 'WebAcl', {
      name: 'prod',
      scope: 'CLOUDFRONT',
      defaultAction: {
        allow: {},
      },
      description: 'Rate limits, written by ratewaf emit',
      rules: [
        // acl-token: GET /api/v1/token, everybody but qa-runner
        {
          name: 'acl-token',
          priority: 10,
          statement: {
            rateBasedStatement: {
              limit: aclTokenLimit,
              evaluationWindowSec: aclTokenWindow,
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
                  {
                    name: 'RateLimit-Policy',
                    value: `"acl-token";q=${aclTokenLimit};w=${aclTokenWindow}`,
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
        // acl-token-qa-runner: GET /api/v1/token, qa-runner only
        {
          name: 'acl-token-qa-runner',
          priority: 20,
          statement: {
            rateBasedStatement: {
              limit: aclTokenQaRunnerLimit,
              evaluationWindowSec: aclTokenQaRunnerWindow,
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
                  {
                    name: 'RateLimit-Policy',
                    value: `"acl-token-qa-runner";q=${aclTokenQaRunnerLimit};w=${aclTokenQaRunnerWindow}`,
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
        // acl-search: GET,HEAD /api/v2/search*, everybody but qa-runner
        {
          name: 'acl-search',
          priority: 30,
          statement: {
            rateBasedStatement: {
              limit: aclSearchLimit,
              evaluationWindowSec: aclSearchWindow,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                andStatement: {
                  statements: [
                    {
                      byteMatchStatement: {
                        searchString: '/api/v2/search',
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
                    {
                      notStatement: {
                        statement: {
                          byteMatchStatement: {
                            searchString: '/api/v2/search/webhooks/',
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
                  {
                    name: 'RateLimit-Policy',
                    value: `"acl-search";q=${aclSearchLimit};w=${aclSearchWindow}`,
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'acl-search',
          },
        },
        // acl-search-qa-runner: GET,HEAD /api/v2/search*, qa-runner only
        {
          name: 'acl-search-qa-runner',
          priority: 40,
          statement: {
            rateBasedStatement: {
              limit: aclSearchQaRunnerLimit,
              evaluationWindowSec: aclSearchQaRunnerWindow,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                andStatement: {
                  statements: [
                    {
                      byteMatchStatement: {
                        searchString: '/api/v2/search',
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
                    {
                      notStatement: {
                        statement: {
                          byteMatchStatement: {
                            searchString: '/api/v2/search/webhooks/',
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
                  {
                    name: 'RateLimit-Policy',
                    value: `"acl-search-qa-runner";q=${aclSearchQaRunnerLimit};w=${aclSearchQaRunnerWindow}`,
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'acl-search-qa-runner',
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

    const wafLogs = new logs.CfnLogGroup(this, 'WafLogs', {
      logGroupName: 'aws-waf-logs-acl',
      retentionInDays: 90,
    });
    wafLogs.applyRemovalPolicy(cdk.RemovalPolicy.RETAIN);

    // Kept are the requests that a rule acted on, also those that it only counted: the evidence for
    // the limits in force.
    const wafLogging = new wafv2.CfnLoggingConfiguration(this, 'WafLogging', {
      resourceArn: webAcl.attrArn,
      logDestinationConfigs: [
        `arn:${cdk.Aws.PARTITION}:logs:${cdk.Aws.REGION}:${cdk.Aws.ACCOUNT_ID}:log-group:aws-waf-logs-acl`,
      ],
      redactedFields: [
        {
          singleHeader: {
            Name: 'authorization',
          },
        },
        {
          singleHeader: {
            Name: 'cookie',
          },
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
    wafLogging.addDependency(wafLogs);

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
        alarmTopic.ref,
      ],
      okActions: [
        alarmTopic.ref,
      ],
    });

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
        alarmTopic.ref,
      ],
      okActions: [
        alarmTopic.ref,
      ],
    });

    new cloudwatch.CfnAlarm(this, 'AclSearchOverLimitAlarm', {
      alarmName: 'acl-search-over-limit',
      alarmDescription: 'Requests over the limit of acl-search were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'prod',
        },
        {
          name: 'Rule',
          value: 'acl-search',
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

    new cloudwatch.CfnAlarm(this, 'AclSearchQaRunnerOverLimitAlarm', {
      alarmName: 'acl-search-qa-runner-over-limit',
      alarmDescription: 'Requests over the limit of acl-search-qa-runner were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'prod',
        },
        {
          name: 'Rule',
          value: 'acl-search-qa-runner',
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

    new cloudwatch.CfnDashboard(this, 'Dashboard', {
      dashboardName: 'acl-limits',
      dashboardBody: '{"widgets":[{"type":"metric","x":0,"y":0,"width":24,"height":6,"properties":{"title":"Blocked requests","region":"us-east-1","view":"timeSeries","stat":"Sum","period":60,"metrics":[["AWS/WAFV2","BlockedRequests","WebACL","prod","Rule","acl-token",{"label":"acl-token"}],["AWS/WAFV2","BlockedRequests","WebACL","prod","Rule","acl-token-qa-runner",{"label":"acl-token-qa-runner"}],["AWS/WAFV2","BlockedRequests","WebACL","prod","Rule","acl-search",{"label":"acl-search"}],["AWS/WAFV2","BlockedRequests","WebACL","prod","Rule","acl-search-qa-runner",{"label":"acl-search-qa-runner"}]]}}]}',
    });

    new iam.CfnManagedPolicy(this, 'AclCiPlanPolicy', {
      managedPolicyName: 'acl-ci-plan',
      description: 'What terraform plan reads of prod',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Sid: 'WebAcl',
            Effect: 'Allow',
            Action: [
              // Terraform compares the web ACL at every plan
              'wafv2:GetWebACL',
              // Terraform reads the tags at every plan
              'wafv2:ListTagsForResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/webacl/prod/*`,
            ],
          },
          {
            Sid: 'IpSets',
            Effect: 'Allow',
            Action: [
              // Terraform compares the addresses at every plan
              'wafv2:GetIPSet',
              // Terraform reads the tags at every plan
              'wafv2:ListTagsForResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/ipset/acl-*/*`,
            ],
          },
          {
            Sid: 'Alarms',
            Effect: 'Allow',
            Action: [
              // Terraform compares the alarms at every plan
              'cloudwatch:DescribeAlarms',
              // and their tags
              'cloudwatch:ListTagsForResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:cloudwatch:us-east-1:${cdk.Aws.ACCOUNT_ID}:alarm:acl-*`,
            ],
          },
          {
            Sid: 'AlarmTopic',
            Effect: 'Allow',
            Action: [
              // Terraform compares the topic and its policy
              'sns:GetTopicAttributes',
              // and its tags
              'sns:ListTagsForResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:sns:us-east-1:${cdk.Aws.ACCOUNT_ID}:acl-alarms`,
            ],
          },
          {
            Sid: 'Logging',
            Effect: 'Allow',
            Action: [
              // Terraform compares where the web ACL is logged
              'wafv2:GetLoggingConfiguration',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/webacl/prod/*`,
            ],
          },
          {
            Sid: 'LogGroup',
            Effect: 'Allow',
            Action: [
              // Terraform reads the tags at every plan
              'logs:ListTagsForResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:logs:us-east-1:${cdk.Aws.ACCOUNT_ID}:log-group:aws-waf-logs-acl`,
              `arn:${cdk.Aws.PARTITION}:logs:us-east-1:${cdk.Aws.ACCOUNT_ID}:log-group:aws-waf-logs-acl:*`,
            ],
          },
          // AWS knows no resource for these actions.
          {
            Sid: 'LogDelivery',
            Effect: 'Allow',
            Action: [
              // finds the log group, for Terraform and for WAF
              'logs:DescribeLogGroups',
            ],
            Resource: [
              '*',
            ],
          },
          {
            Sid: 'Dashboard',
            Effect: 'Allow',
            Action: [
              // Terraform compares the dashboard at every plan
              'cloudwatch:GetDashboard',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:cloudwatch::${cdk.Aws.ACCOUNT_ID}:dashboard/acl-limits`,
            ],
          },
          {
            Sid: 'GuardWebAcl',
            Effect: 'Allow',
            Action: [
              // Terraform compares the guard's web ACL at every plan
              'wafv2:GetWebACL',
              // Terraform reads the tags at every plan
              'wafv2:ListTagsForResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:eu-central-1:${cdk.Aws.ACCOUNT_ID}:regional/webacl/acl-origin/*`,
            ],
          },
          // Whoever plans reads the secret. With the key aws/ssm nothing more is needed; a key of your own
          // needs kms:Decrypt for it, and kms:Encrypt to write.
          {
            Sid: 'GuardSecret',
            Effect: 'Allow',
            Action: [
              // the rules and the distribution compare with the secret
              'ssm:GetParameter',
              // Terraform reads the tags at every plan
              'ssm:ListTagsForResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:ssm:eu-central-1:${cdk.Aws.ACCOUNT_ID}:parameter/acl/origin-secret`,
              `arn:${cdk.Aws.PARTITION}:ssm:eu-central-1:${cdk.Aws.ACCOUNT_ID}:parameter/acl/origin-secret-previous`,
            ],
          },
          // AWS knows no resource for a list.
          {
            Sid: 'GuardSecretList',
            Effect: 'Allow',
            Action: [
              // Terraform reads description and tier with it
              'ssm:DescribeParameters',
            ],
            Resource: [
              '*',
            ],
          },
          // AWS checks these actions against the web ACL and against what it stands before.
          {
            Sid: 'GuardAssociations',
            Effect: 'Allow',
            Action: [
              // asked together with the next
              'wafv2:GetWebACL',
              // Terraform reads which web ACL stands before it
              'wafv2:GetWebACLForResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:eu-central-1:${cdk.Aws.ACCOUNT_ID}:regional/webacl/acl-origin/*`,
              'arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/api/50dc6c495c0c9188',
            ],
          },
        ],
      },
    });

    new iam.CfnManagedPolicy(this, 'AclCiApplyPolicy', {
      managedPolicyName: 'acl-ci-apply',
      description: 'What terraform apply reads and writes of prod',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Sid: 'WebAcl',
            Effect: 'Allow',
            Action: [
              // removes it; leave this out to keep it for good
              'wafv2:DeleteWebACL',
              // Terraform compares the web ACL at every plan
              'wafv2:GetWebACL',
              // Terraform reads the tags at every plan
              'wafv2:ListTagsForResource',
              // sets tags, which the provider's default_tags put on everything
              'wafv2:TagResource',
              // takes tags away again
              'wafv2:UntagResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/webacl/prod/*`,
            ],
          },
          // AWS checks these actions against the web ACL and against every IP set that a rule names.
          {
            Sid: 'WebAclWrite',
            Effect: 'Allow',
            Action: [
              // makes the web ACL
              'wafv2:CreateWebACL',
              // changes rules, limits and actions
              'wafv2:UpdateWebACL',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/webacl/prod/*`,
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/ipset/acl-*/*`,
            ],
          },
          {
            Sid: 'IpSets',
            Effect: 'Allow',
            Action: [
              // makes the sets of a network
              'wafv2:CreateIPSet',
              // removes those of a network that left the policy
              'wafv2:DeleteIPSet',
              // Terraform compares the addresses at every plan
              'wafv2:GetIPSet',
              // Terraform reads the tags at every plan
              'wafv2:ListTagsForResource',
              // sets tags, which the provider's default_tags put on everything
              'wafv2:TagResource',
              // takes tags away again
              'wafv2:UntagResource',
              // changes the addresses of a network
              'wafv2:UpdateIPSet',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/ipset/acl-*/*`,
            ],
          },
          {
            Sid: 'Alarms',
            Effect: 'Allow',
            Action: [
              // removes that of a rule that is gone
              'cloudwatch:DeleteAlarms',
              // Terraform compares the alarms at every plan
              'cloudwatch:DescribeAlarms',
              // and their tags
              'cloudwatch:ListTagsForResource',
              // makes and changes one for each rule
              'cloudwatch:PutMetricAlarm',
              // sets tags, which default_tags put on everything
              'cloudwatch:TagResource',
              // takes tags away again
              'cloudwatch:UntagResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:cloudwatch:us-east-1:${cdk.Aws.ACCOUNT_ID}:alarm:acl-*`,
            ],
          },
          {
            Sid: 'AlarmTopic',
            Effect: 'Allow',
            Action: [
              // makes the topic of the alarms
              'sns:CreateTopic',
              // removes it
              'sns:DeleteTopic',
              // Terraform compares the topic and its policy
              'sns:GetTopicAttributes',
              // and its tags
              'sns:ListTagsForResource',
              // writes the policy that lets CloudWatch publish
              'sns:SetTopicAttributes',
              // sets tags, which default_tags put on everything
              'sns:TagResource',
              // takes tags away again
              'sns:UntagResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:sns:us-east-1:${cdk.Aws.ACCOUNT_ID}:acl-alarms`,
            ],
          },
          {
            Sid: 'Logging',
            Effect: 'Allow',
            Action: [
              // stops logging
              'wafv2:DeleteLoggingConfiguration',
              // Terraform compares where the web ACL is logged
              'wafv2:GetLoggingConfiguration',
              // starts it, and changes filters and redaction
              'wafv2:PutLoggingConfiguration',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/webacl/prod/*`,
            ],
          },
          {
            Sid: 'LogGroup',
            Effect: 'Allow',
            Action: [
              // makes the log group
              'logs:CreateLogGroup',
              // removes it, with what it holds
              'logs:DeleteLogGroup',
              // keeps records for good again
              'logs:DeleteRetentionPolicy',
              // Terraform reads the tags at every plan
              'logs:ListTagsForResource',
              // says how long records are kept
              'logs:PutRetentionPolicy',
              // sets tags, which default_tags put on everything
              'logs:TagResource',
              // takes tags away again
              'logs:UntagResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:logs:us-east-1:${cdk.Aws.ACCOUNT_ID}:log-group:aws-waf-logs-acl`,
              `arn:${cdk.Aws.PARTITION}:logs:us-east-1:${cdk.Aws.ACCOUNT_ID}:log-group:aws-waf-logs-acl:*`,
            ],
          },
          // AWS knows no resource for these actions.
          {
            Sid: 'LogDelivery',
            Effect: 'Allow',
            Action: [
              // WAF starts the delivery in your name
              'logs:CreateLogDelivery',
              // and stops it
              'logs:DeleteLogDelivery',
              // finds the log group, for Terraform and for WAF
              'logs:DescribeLogGroups',
              // looks for the one that lets it write
              'logs:DescribeResourcePolicies',
              // and writes it if there is none
              'logs:PutResourcePolicy',
            ],
            Resource: [
              '*',
            ],
          },
          {
            Sid: 'Dashboard',
            Effect: 'Allow',
            Action: [
              // removes it
              'cloudwatch:DeleteDashboards',
              // Terraform compares the dashboard at every plan
              'cloudwatch:GetDashboard',
              // makes and changes it
              'cloudwatch:PutDashboard',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:cloudwatch::${cdk.Aws.ACCOUNT_ID}:dashboard/acl-limits`,
            ],
          },
          {
            Sid: 'GuardWebAcl',
            Effect: 'Allow',
            Action: [
              // makes it
              'wafv2:CreateWebACL',
              // removes it
              'wafv2:DeleteWebACL',
              // Terraform compares the guard's web ACL at every plan
              'wafv2:GetWebACL',
              // Terraform reads the tags at every plan
              'wafv2:ListTagsForResource',
              // sets tags, which the provider's default_tags put on everything
              'wafv2:TagResource',
              // takes tags away again
              'wafv2:UntagResource',
              // changes routes, and secrets when one is exchanged
              'wafv2:UpdateWebACL',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:eu-central-1:${cdk.Aws.ACCOUNT_ID}:regional/webacl/acl-origin/*`,
            ],
          },
          // Whoever plans reads the secret. With the key aws/ssm nothing more is needed; a key of your own
          // needs kms:Decrypt for it, and kms:Encrypt to write.
          {
            Sid: 'GuardSecret',
            Effect: 'Allow',
            Action: [
              // sets tags, which default_tags put on everything
              'ssm:AddTagsToResource',
              // forgets a secret that was exchanged
              'ssm:DeleteParameter',
              // the rules and the distribution compare with the secret
              'ssm:GetParameter',
              // Terraform reads the tags at every plan
              'ssm:ListTagsForResource',
              // keeps the secret
              'ssm:PutParameter',
              // takes tags away again
              'ssm:RemoveTagsFromResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:ssm:eu-central-1:${cdk.Aws.ACCOUNT_ID}:parameter/acl/origin-secret`,
              `arn:${cdk.Aws.PARTITION}:ssm:eu-central-1:${cdk.Aws.ACCOUNT_ID}:parameter/acl/origin-secret-previous`,
            ],
          },
          // AWS knows no resource for a list.
          {
            Sid: 'GuardSecretList',
            Effect: 'Allow',
            Action: [
              // Terraform reads description and tier with it
              'ssm:DescribeParameters',
            ],
            Resource: [
              '*',
            ],
          },
          // AWS checks these actions against the web ACL and against what it stands before.
          {
            Sid: 'GuardAssociations',
            Effect: 'Allow',
            Action: [
              // puts the web ACL before it
              'wafv2:AssociateWebACL',
              // takes it away
              'wafv2:DisassociateWebACL',
              // asked together with the next
              'wafv2:GetWebACL',
              // Terraform reads which web ACL stands before it
              'wafv2:GetWebACLForResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:eu-central-1:${cdk.Aws.ACCOUNT_ID}:regional/webacl/acl-origin/*`,
              'arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/api/50dc6c495c0c9188',
            ],
          },
          // AWS knows no resource for this action.
          {
            Sid: 'GuardAssociationsElasticloadbalancing',
            Effect: 'Allow',
            Action: [
              // the service itself has to agree
              'elasticloadbalancing:SetWebAcl',
            ],
            Resource: [
              '*',
            ],
          },
        ],
      },
    });

    new iam.CfnManagedPolicy(this, 'AclRatewafPolicy', {
      managedPolicyName: 'acl-ratewaf',
      description: 'What ratewaf status and apply do to prod',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          // AWS knows no resource for lists, metrics and capacity.
          {
            Sid: 'StatusFind',
            Effect: 'Allow',
            Action: [
              // status: what each rule counted and blocked
              'cloudwatch:GetMetricData',
              // status: whether the metrics of the rules are there at all
              'cloudwatch:ListMetrics',
              // plan: whether the rules fit, before anything is written
              'wafv2:CheckCapacity',
              // finds IP sets by their names
              'wafv2:ListIPSets',
              // finds the web ACL by its name
              'wafv2:ListWebACLs',
            ],
            Resource: [
              '*',
            ],
          },
          {
            Sid: 'StatusWebAcl',
            Effect: 'Allow',
            Action: [
              // status: who is over a limit right now
              'wafv2:GetRateBasedStatementManagedKeys',
              // status: requests that a rule acted on
              'wafv2:GetSampledRequests',
              // reads the live rules, which plan compares
              'wafv2:GetWebACL',
              // which rules apply wrote, and since when they count
              'wafv2:ListTagsForResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/webacl/prod/*`,
            ],
          },
          {
            Sid: 'StatusIpSets',
            Effect: 'Allow',
            Action: [
              // reads the live addresses, which plan compares
              'wafv2:GetIPSet',
              // which sets apply wrote
              'wafv2:ListTagsForResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/ipset/acl-*/*`,
            ],
          },
          {
            Sid: 'StatusAlarms',
            Effect: 'Allow',
            Action: [
              // plan compares the alarms, status tells which is on
              'cloudwatch:DescribeAlarms',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:cloudwatch:us-east-1:${cdk.Aws.ACCOUNT_ID}:alarm:acl-*`,
            ],
          },
          // Only for --distribution.
          {
            Sid: 'StatusDistribution',
            Effect: 'Allow',
            Action: [
              // which web ACL the distribution has
              'cloudfront:GetDistributionConfig',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:cloudfront::${cdk.Aws.ACCOUNT_ID}:distribution/*`,
            ],
          },
          // Only for check --live, which says what it may not read.
          {
            Sid: 'StatusLogging',
            Effect: 'Allow',
            Action: [
              // check: where the web ACL is logged, and what of it
              'wafv2:GetLoggingConfiguration',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/webacl/prod/*`,
            ],
          },
          // Only for check --live, which says what it may not read.
          {
            Sid: 'StatusEveryAlarm',
            Effect: 'Allow',
            Action: [
              // check: alarms on the rules, whatever they are called
              'cloudwatch:DescribeAlarms',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:cloudwatch:us-east-1:${cdk.Aws.ACCOUNT_ID}:alarm:*`,
            ],
          },
          // Only for check --live, which says what it may not read.
          {
            Sid: 'StatusProtected',
            Effect: 'Allow',
            Action: [
              // check: whether anything is protected, and over which IP families
              'cloudfront:ListDistributionsByWebACLId',
            ],
            Resource: [
              '*',
            ],
          },
          // Leave out the statements whose Sid begins with Apply where ratewaf only looks. AWS checks this
          // action against the web ACL and against everything that its rules name.
          {
            Sid: 'ApplyWebAcl',
            Effect: 'Allow',
            Action: [
              // apply: makes the web ACL, if it is not there
              'wafv2:CreateWebACL',
              // apply, promote, demote, rollback: changes our rules
              'wafv2:UpdateWebACL',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/webacl/prod/*`,
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/ipset/acl-*/*`,
            ],
          },
          // The web ACL's tags tell our rules from others, and edits by hand from changes of the policy.
          {
            Sid: 'ApplyRecords',
            Effect: 'Allow',
            Action: [
              // remembers what was written, and when
              'wafv2:TagResource',
              // forgets rules that are gone
              'wafv2:UntagResource',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/webacl/prod/*`,
            ],
          },
          {
            Sid: 'ApplyIpSets',
            Effect: 'Allow',
            Action: [
              // apply: makes the sets of a new network
              'wafv2:CreateIPSet',
              // apply, rollback: removes the sets of a network that is gone
              'wafv2:DeleteIPSet',
              // remembers what was written
              'wafv2:TagResource',
              // apply, rollback: changes the addresses of a network
              'wafv2:UpdateIPSet',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/ipset/acl-*/*`,
            ],
          },
          {
            Sid: 'ApplyAlarms',
            Effect: 'Allow',
            Action: [
              // removes the alarms of rules that are gone
              'cloudwatch:DeleteAlarms',
              // makes alarms, and lets them follow count and block
              'cloudwatch:PutMetricAlarm',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:cloudwatch:us-east-1:${cdk.Aws.ACCOUNT_ID}:alarm:acl-*`,
            ],
          },
          // Only for --distribution.
          {
            Sid: 'ApplyDistribution',
            Effect: 'Allow',
            Action: [
              // puts the web ACL before the distribution
              'cloudfront:AssociateDistributionWebACL',
            ],
            Resource: [
              `arn:${cdk.Aws.PARTITION}:cloudfront::${cdk.Aws.ACCOUNT_ID}:distribution/*`,
            ],
          },
        ],
      },
    });

    this.webAclArn = webAcl.attrArn;
    new cdk.CfnOutput(this, 'WebAclArn', { description: 'The web ACL prod', value: webAcl.attrArn });
    this.alarmTopicArn = alarmTopic.ref;
    new cdk.CfnOutput(this, 'AlarmTopicArn', { description: 'The SNS topic of the rate-limit alarms', value: alarmTopic.ref });
  }
}
