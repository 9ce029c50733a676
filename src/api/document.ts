// Builds the API document of an installation: its endpoints and webhooks, and the texts about them.

import { describeAccess } from '../access/access-rules.ts'
import type { Endpoint } from '../access/endpoint.ts'
import { scopesInWords } from '../access/scopes-in-words.ts'
import { type DocumentContent, openApiDocument } from '../platform/http/openapi.ts'
import { Rehearsal } from '../rehearsal/rehearsal.ts'
import { enumerations } from './enumerations.ts'
import { examples, refusalExamples } from './examples.ts'
import { introduction } from './guides.ts'
import { markTruths } from './mark-truths.ts'
import { recordedExamples } from './recorded-examples.ts'
import { apiTags, tagGroups } from './tags.ts'
import { termOf } from './terms.ts'
import { webhooks } from './webhooks.ts'

/** Builds the whole OpenAPI document. */
export const apiDocument = (
  endpoints: readonly Endpoint[],
  installation: Pick<DocumentContent<never>, 'version' | 'baseUrl' | 'authUrl'>,
) => {
  const recorded = recordedExamples()
  const document = openApiDocument(endpoints, {
    ...installation,
    introduction: introduction(installation),
    tags: apiTags,
    tagGroups,
    scopes: scopesInWords,
    describeAccess,
    forbidden: 'The token lacks the scope, or belongs to a client or carrier whose users may not do this.',
    termOf,
    enumerations,
    examples,
    rehearsal: Rehearsal,
    recorded: { ...recorded, shared: { ...refusalExamples, ...recorded.shared } },
    webhooks,
  })
  markTruths(document)
  return document
}
