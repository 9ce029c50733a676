// The API document of an installation: the endpoints, the webhooks, and what is said about them.

import type { Endpoint } from '../platform/http/endpoint.ts'
import { type DocumentContent, openApiDocument } from '../platform/http/openapi.ts'
import { enumerations } from './enumeration-names.ts'
import { examples } from './examples.ts'
import { introduction } from './guides.ts'
import { recordedExamples } from './recorded-examples.ts'
import { scopesInWords } from './scopes-in-words.ts'
import { apiTags } from './tags.ts'
import { termOf } from './terms.ts'
import { webhooks } from './webhooks.ts'

/** The whole OpenAPI document. */
export const apiDocument = (
  endpoints: readonly Endpoint[],
  place: Pick<DocumentContent, 'version' | 'baseUrl' | 'authUrl'>,
) =>
  openApiDocument(endpoints, {
    ...place,
    introduction: introduction(place),
    tags: apiTags,
    scopes: scopesInWords,
    termOf,
    enumerations,
    examples,
    recorded: recordedExamples(),
    webhooks,
  })
