// The API document of an installation: the endpoints, the webhooks, and what is said about them.

import { examples } from './api-examples.ts'
import { apiTags } from './api-tags.ts'
import { termOf } from './api-terms.ts'
import type { Endpoint } from './platform/endpoint.ts'
import { type About, openApiDocument } from './platform/openapi.ts'
import { webhooks } from './webhook-subscriptions/webhook-document.ts'

/** The whole OpenAPI document. */
export const apiDocument = (endpoints: readonly Endpoint[], place: Pick<About, 'version' | 'baseUrl' | 'authUrl'>) =>
  openApiDocument(endpoints, { ...place, tags: apiTags, termOf, examples, webhooks })
