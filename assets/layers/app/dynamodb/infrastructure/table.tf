# The table that counts, and the permissions of whoever asks it. The values stand in
# ratewaf.auto.tfvars.json, which ratewaf emit writes from the policy.

terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.100"
    }
  }
}

variable "region" {
  type        = string
  description = "Region of the table: that of the application"
}

variable "table" {
  type        = string
  description = "Name of the table"
}

variable "role" {
  type        = string
  default     = null
  description = "Name of the application's role, which gets the permissions; null attaches them to nobody"
}

provider "aws" {
  region = var.region
}

# On demand: it costs what is asked of it. Items are gone on their own after they have lost their meaning.
resource "aws_dynamodb_table" "limits" {
  name         = var.table
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "id"

  attribute {
    name = "id"
    type = "S"
  }

  ttl {
    attribute_name = "expires"
    enabled        = true
  }
}

data "aws_iam_policy_document" "limits" {
  statement {
    sid       = "CountRequests"
    actions   = ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"]
    resources = [aws_dynamodb_table.limits.arn]
  }
}

resource "aws_iam_policy" "limits" {
  name        = "${var.table}-count"
  description = "Counts requests in the table of limits"
  policy      = data.aws_iam_policy_document.limits.json
}

resource "aws_iam_role_policy_attachment" "limits" {
  count = var.role == null ? 0 : 1

  role       = var.role
  policy_arn = aws_iam_policy.limits.arn
}

output "table_arn" {
  value = aws_dynamodb_table.limits.arn
}

output "policy_arn" {
  value = aws_iam_policy.limits.arn
}
