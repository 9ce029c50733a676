// Localities: named areas used to price freight. Decision 7.

import type { Static } from 'typebox'
import { duplicate } from '../../platform/http/refusal.ts'
import { Code, Name } from '../../platform/http/schema.ts'
import { setUpCollection } from '../../reference-data/set-up-collection.ts'
import { Areas, storedAreas } from './area.ts'

export const localities = setUpCollection({
  path: '/v1/localities',
  noun: 'locality',
  fields: { name: Name, areas: Areas },
  optionalFields: { code: Code },
  reach: { read: 'financial.read', write: 'financial', partners: 'none' },
  refusals: {
    locality_code_key: () => duplicate('code', 'A locality with this code already exists.'),
  },
  toColumnValues: body =>
    body.areas === undefined
      ? body
      : { ...body, areas: JSON.stringify(storedAreas(body.areas as Static<typeof Areas>)) },
})
