// Rate limits of the web ACL stage in front of CloudFront, environment stage.
// Policy: ratewaf.yaml
// Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
// Written by ratewaf emit: change the policy and emit again, not this file.
// To compare the two: ratewaf emit --format cdk --env stage --check out/
// Deploy it in us-east-1.
// For a distribution: WebACLId is the output WebAclArn.
//
// Uses 4 of 10 rate-based rules and about 280 of 5,000 WCU (an estimate; AWS decides).
// Costs 9.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
// distribution (pay as you go, prices of 2026-06-01).
// With as many requests as the logs hold (114,144 in 168 hours): about 9.29 USD a month.
//
// Never limited:
// - /api/v2/search/webhooks/* (webhooks): left out of acl-stage-search, acl-stage-search-qa-runner
// - /healthz (health): no rule looks at that path
//
// Please note:
// - Route `token`: the networks changed since the logs were read (qa-runner changed): run `ratewaf
// analyze` again.
// - Route `search`: the networks changed since the logs were read (qa-runner changed): run
// `ratewaf analyze` again.
// - Route `search`: pinned 100: at or above every peak of these logs (largest 0): it never acts.
// The logs give no limit (too few clients).
import * as cdk from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

// Rate limits of the web ACL stage
export class RateLimits extends Construct {
  // The web ACL stage
  public readonly webAclArn: string;
  // The SNS topic of the rate-limit alarms
  public readonly alarmTopicArn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);

    // acl-stage-token: GET /api/v1/token, everybody but qa-runner
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
    const aclStageTokenLimit = 300;
    const aclStageTokenWindow = 300;

    // acl-stage-token-qa-runner: GET /api/v1/token, qa-runner only
    // Counts the network `qa-runner` only. 3,000 (10 per second): 10x the main limit 300.
    // Before it changed, it did not occur in the logs of this route.
    const aclStageTokenQaRunnerLimit = 3000;
    const aclStageTokenQaRunnerWindow = 300;

    // acl-stage-search: GET,HEAD /api/v2/search*, everybody but qa-runner
    // Pinned in the policy: 100 requests per 300 s. The logs propose no limit.
    // Grade none; 0 clients and 0 requests, 2026-09-08 to 2026-09-14.
    // Peaks in any 300 s: half of the clients at most 0, 90 % 0, 99 % 0, largest 0.
    const aclStageSearchLimit = 100;
    const aclStageSearchWindow = 300;

    // acl-stage-search-qa-runner: GET,HEAD /api/v2/search*, qa-runner only
    // Counts the network `qa-runner` only. 1,000 (3.33 per second): 10x the main limit 100.
    // Before it changed, it did not occur in the logs of this route.
    const aclStageSearchQaRunnerLimit = 1000;
    const aclStageSearchQaRunnerWindow = 300;

    // qa-runner (tester), not counted by acl-stage-token, acl-stage-search, counted alone by
    // acl-stage-token-qa-runner, acl-stage-search-qa-runner
    const aclStageQaRunnerV4IpSet = new wafv2.CfnIPSet(this, 'AclStageQaRunnerV4IpSet', {
      name: 'acl-stage-qa-runner-v4',
      scope: 'CLOUDFRONT',
      ipAddressVersion: 'IPV4',
      addresses: [
        '203.0.113.9/32',
      ],
    });

    const webAcl = new wafv2.CfnWebACL(this, 'WebAcl', {
      name: 'stage',
      scope: 'CLOUDFRONT',
      defaultAction: {
        allow: {},
      },
      description: 'Rate limits, written by ratewaf emit',
      rules: [
        // acl-stage-token: GET /api/v1/token, everybody but qa-runner
        {
          name: 'acl-stage-token',
          priority: 10,
          statement: {
            rateBasedStatement: {
              limit: aclStageTokenLimit,
              evaluationWindowSec: aclStageTokenWindow,
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
                            arn: aclStageQaRunnerV4IpSet.attrArn,
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
                customResponseBodyKey: 'acl-stage-limited',
                responseHeaders: [
                  {
                    name: 'Retry-After',
                    value: '300',
                  },
                  {
                    name: 'RateLimit-Policy',
                    value: `"acl-stage-token";q=${aclStageTokenLimit};w=${aclStageTokenWindow}`,
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'acl-stage-token',
          },
        },
        // acl-stage-token-qa-runner: GET /api/v1/token, qa-runner only
        {
          name: 'acl-stage-token-qa-runner',
          priority: 20,
          statement: {
            rateBasedStatement: {
              limit: aclStageTokenQaRunnerLimit,
              evaluationWindowSec: aclStageTokenQaRunnerWindow,
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
                      ipSetReferenceStatement: {
                        arn: aclStageQaRunnerV4IpSet.attrArn,
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
                customResponseBodyKey: 'acl-stage-limited',
                responseHeaders: [
                  {
                    name: 'Retry-After',
                    value: '300',
                  },
                  {
                    name: 'RateLimit-Policy',
                    value: `"acl-stage-token-qa-runner";q=${aclStageTokenQaRunnerLimit};w=${aclStageTokenQaRunnerWindow}`,
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'acl-stage-token-qa-runner',
          },
        },
        // acl-stage-search: GET,HEAD /api/v2/search*, everybody but qa-runner
        {
          name: 'acl-stage-search',
          priority: 30,
          statement: {
            rateBasedStatement: {
              limit: aclStageSearchLimit,
              evaluationWindowSec: aclStageSearchWindow,
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
                            arn: aclStageQaRunnerV4IpSet.attrArn,
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
                customResponseBodyKey: 'acl-stage-limited',
                responseHeaders: [
                  {
                    name: 'Retry-After',
                    value: '300',
                  },
                  {
                    name: 'RateLimit-Policy',
                    value: `"acl-stage-search";q=${aclStageSearchLimit};w=${aclStageSearchWindow}`,
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'acl-stage-search',
          },
        },
        // acl-stage-search-qa-runner: GET,HEAD /api/v2/search*, qa-runner only
        {
          name: 'acl-stage-search-qa-runner',
          priority: 40,
          statement: {
            rateBasedStatement: {
              limit: aclStageSearchQaRunnerLimit,
              evaluationWindowSec: aclStageSearchQaRunnerWindow,
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
                      ipSetReferenceStatement: {
                        arn: aclStageQaRunnerV4IpSet.attrArn,
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
                customResponseBodyKey: 'acl-stage-limited',
                responseHeaders: [
                  {
                    name: 'Retry-After',
                    value: '300',
                  },
                  {
                    name: 'RateLimit-Policy',
                    value: `"acl-stage-search-qa-runner";q=${aclStageSearchQaRunnerLimit};w=${aclStageSearchQaRunnerWindow}`,
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'acl-stage-search-qa-runner',
          },
        },
      ],
      visibilityConfig: {
        sampledRequestsEnabled: true,
        cloudWatchMetricsEnabled: true,
        metricName: 'stage',
      },
      customResponseBodies: {
        'acl-stage-limited': {
          contentType: 'APPLICATION_JSON',
          content: '{"error":"too_many_requests","message":"Rate limit exceeded. Try again later."}',
        },
      },
    });

    // Subscribe to it where you keep subscriptions; it has none of its own.
    const alarmTopic = new sns.CfnTopic(this, 'AlarmTopic', {
      topicName: 'acl-stage-alarms',
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
    new cloudwatch.CfnAlarm(this, 'AclStageTokenOverLimitAlarm', {
      alarmName: 'acl-stage-token-over-limit',
      alarmDescription: 'Requests over the limit of acl-stage-token were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'stage',
        },
        {
          name: 'Rule',
          value: 'acl-stage-token',
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

    // Tells nobody until the end of 2027-01-31: the login loop, bug 4711
    new cloudwatch.CfnAlarm(this, 'AclStageTokenQaRunnerOverLimitAlarm', {
      alarmName: 'acl-stage-token-qa-runner-over-limit',
      alarmDescription: 'Requests over the limit of acl-stage-token-qa-runner were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'stage',
        },
        {
          name: 'Rule',
          value: 'acl-stage-token-qa-runner',
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

    // Tells nobody until the end of 2027-01-31: the login loop, bug 4711
    new cloudwatch.CfnAlarm(this, 'AclStageSearchOverLimitAlarm', {
      alarmName: 'acl-stage-search-over-limit',
      alarmDescription: 'Requests over the limit of acl-stage-search were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'stage',
        },
        {
          name: 'Rule',
          value: 'acl-stage-search',
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

    // Tells nobody until the end of 2027-01-31: the login loop, bug 4711
    new cloudwatch.CfnAlarm(this, 'AclStageSearchQaRunnerOverLimitAlarm', {
      alarmName: 'acl-stage-search-qa-runner-over-limit',
      alarmDescription: 'Requests over the limit of acl-stage-search-qa-runner were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'stage',
        },
        {
          name: 'Rule',
          value: 'acl-stage-search-qa-runner',
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

    new iam.CfnManagedPolicy(this, 'AclStageCiPlanPolicy', {
      managedPolicyName: 'acl-stage-ci-plan',
      description: 'What terraform plan reads of stage',
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
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/webacl/stage/*`,
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
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/ipset/acl-stage-*/*`,
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
              `arn:${cdk.Aws.PARTITION}:cloudwatch:us-east-1:${cdk.Aws.ACCOUNT_ID}:alarm:acl-stage-*`,
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
              `arn:${cdk.Aws.PARTITION}:sns:us-east-1:${cdk.Aws.ACCOUNT_ID}:acl-stage-alarms`,
            ],
          },
        ],
      },
    });

    new iam.CfnManagedPolicy(this, 'AclStageCiApplyPolicy', {
      managedPolicyName: 'acl-stage-ci-apply',
      description: 'What terraform apply reads and writes of stage',
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
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/webacl/stage/*`,
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
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/webacl/stage/*`,
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/ipset/acl-stage-*/*`,
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
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/ipset/acl-stage-*/*`,
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
              `arn:${cdk.Aws.PARTITION}:cloudwatch:us-east-1:${cdk.Aws.ACCOUNT_ID}:alarm:acl-stage-*`,
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
              `arn:${cdk.Aws.PARTITION}:sns:us-east-1:${cdk.Aws.ACCOUNT_ID}:acl-stage-alarms`,
            ],
          },
        ],
      },
    });

    new iam.CfnManagedPolicy(this, 'AclStageRatewafPolicy', {
      managedPolicyName: 'acl-stage-ratewaf',
      description: 'What ratewaf status and apply do to stage',
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
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/webacl/stage/*`,
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
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/ipset/acl-stage-*/*`,
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
              `arn:${cdk.Aws.PARTITION}:cloudwatch:us-east-1:${cdk.Aws.ACCOUNT_ID}:alarm:acl-stage-*`,
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
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/webacl/stage/*`,
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
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/webacl/stage/*`,
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/ipset/acl-stage-*/*`,
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
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/webacl/stage/*`,
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
              `arn:${cdk.Aws.PARTITION}:wafv2:us-east-1:${cdk.Aws.ACCOUNT_ID}:global/ipset/acl-stage-*/*`,
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
              `arn:${cdk.Aws.PARTITION}:cloudwatch:us-east-1:${cdk.Aws.ACCOUNT_ID}:alarm:acl-stage-*`,
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
    new cdk.CfnOutput(this, 'WebAclArn', { description: 'The web ACL stage', value: webAcl.attrArn });
    this.alarmTopicArn = alarmTopic.ref;
    new cdk.CfnOutput(this, 'AlarmTopicArn', { description: 'The SNS topic of the rate-limit alarms', value: alarmTopic.ref });
  }
}
