// Deploys what ratewaf emit wrote beside it. In an app of your own, take the constructs alone.
import * as cdk from 'aws-cdk-lib';
import { RateLimits } from './rate-limits';

const app = new cdk.App();

const rateLimits = new cdk.Stack(app, 'api-rate-limits', {
  description: 'Rate limits of the web ACL api-acl',
  // The account is that of the credentials.
  env: { region: 'eu-central-1' },
});
new RateLimits(rateLimits, 'RateLimits');
