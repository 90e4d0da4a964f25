# The edge limiter: table, functions, and what they may do. Values: edge.auto.tfvars.json.

terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.80"
    }
  }
}

# Functions at the edge are made in us-east-1, and so is the table that the replicas are copies of.
provider "aws" {
  region = "us-east-1"
}

variable "name" {
  description = "Prefix of functions, role and policies."
  type        = string
  validation {
    condition     = can(regex("^[a-zA-Z0-9_-]{1,40}$", var.name))
    error_message = "1 to 40 letters, digits, hyphens and underscores."
  }
}

variable "table_name" {
  description = "Name of the table, as in src/config.ts."
  type        = string
}

variable "replicas" {
  description = "Regions of the copies, as in src/config.ts."
  type        = set(string)
  validation {
    condition     = !contains(var.replicas, "us-east-1")
    error_message = "us-east-1 is the home region and no replica."
  }
}

variable "package" {
  description = "The archive that `npm run package` writes."
  type        = string
  default     = "../edge.zip"
}

data "aws_caller_identity" "current" {}

locals {
  account    = data.aws_caller_identity.current.account_id
  table_arns = [for region in setunion(["us-east-1"], var.replicas) : "arn:aws:dynamodb:${region}:${local.account}:table/${var.table_name}"]
  functions = {
    viewer-request  = "viewer-request.handler"
    viewer-response = "viewer-response.handler"
  }
}

resource "aws_dynamodb_table" "limits" {
  name             = var.table_name
  billing_mode     = "PAY_PER_REQUEST"
  hash_key         = "client"
  range_key        = "window"
  stream_enabled   = length(var.replicas) > 0
  stream_view_type = length(var.replicas) > 0 ? "NEW_AND_OLD_IMAGES" : null

  attribute {
    name = "client"
    type = "S"
  }

  attribute {
    name = "window"
    type = "S"
  }

  # Seconds since 1970. Replicas take it over.
  ttl {
    attribute_name = "expires"
    enabled        = true
  }

  dynamic "replica" {
    for_each = var.replicas
    content {
      region_name = replica.value
    }
  }
}

resource "aws_iam_role" "edge" {
  name = "${var.name}-edge"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = ["lambda.amazonaws.com", "edgelambda.amazonaws.com"] }
    }]
  })
}

# The functions count and read; they never put, delete, scan or query.
resource "aws_iam_role_policy" "edge" {
  name = "count-and-log"
  role = aws_iam_role.edge.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid      = "Count"
        Effect   = "Allow"
        Action   = ["dynamodb:UpdateItem", "dynamodb:GetItem"]
        Resource = local.table_arns
      },
      {
        # A function at the edge writes its log in whichever region it runs.
        Sid    = "Log"
        Effect = "Allow"
        Action = ["logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"]
        Resource = [
          for name in keys(local.functions) :
          "arn:aws:logs:*:${local.account}:log-group:/aws/lambda/us-east-1.${var.name}-${name}:*"
        ]
      },
    ]
  })
}

# For the people who change the allowlist and the CAPTCHA's secret: these items and no counts.
resource "aws_iam_policy" "settings" {
  name = "${var.name}-edge-settings"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "Settings"
      Effect    = "Allow"
      Action    = ["dynamodb:PutItem", "dynamodb:GetItem"]
      Resource  = ["arn:aws:dynamodb:us-east-1:${local.account}:table/${var.table_name}"]
      Condition = { "ForAllValues:StringEquals" = { "dynamodb:LeadingKeys" = ["settings"] } }
    }]
  })
}

# CloudFront takes numbered versions only. No environment: functions at the edge cannot have one.
resource "aws_lambda_function" "edge" {
  for_each = local.functions

  function_name    = "${var.name}-${each.key}"
  role             = aws_iam_role.edge.arn
  runtime          = "nodejs22.x"
  handler          = each.value
  filename         = var.package
  source_code_hash = filebase64sha256(var.package)
  memory_size      = 128
  timeout          = 5
  publish          = true

  # Copies at the edge live on for some hours; a function that has any cannot be deleted.
  skip_destroy = true
}

output "associations" {
  description = "For `lambda_function_association` of a cache behavior: event type and version."
  value       = { for event, function in aws_lambda_function.edge : event => function.qualified_arn }
}

output "settings_policy_arn" {
  value = aws_iam_policy.settings.arn
}
