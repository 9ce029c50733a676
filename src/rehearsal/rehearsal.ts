// The answer to a rehearsal, for the API document.

import { named, Type } from '../platform/http/schema.ts'

/** What effects and warnings are about. */
export const effectKinds = [
  ...['status', 'allocate', 'short', 'release', 'receive', 'pick', 'dispatch', 'move', 'hold', 'adjust'],
  ...['charge', 'freeze', 'unfreeze', 'schedule', 'job', 'import', 'event'],
]

const Effects = Type.Array(
  Type.Object({
    kind: Type.String({ enum: effectKinds }),
    text: Type.String({
      description: 'A sentence without its subject: “reserve 72 items on 1 line, earliest expiry first”.',
    }),
    data: Type.Object({}, { additionalProperties: true, description: 'The figures and ids of the text.' }),
  }),
)

export const Rehearsal = named(
  'Rehearsal',
  Type.Object({
    outcome: Type.Integer({
      description: 'The status that the act would have had; 304: nothing would change.',
    }),
    effects: { ...Effects, description: 'What the act would do.' },
    warnings: { ...Effects, description: 'What to know before it is done, such as lines that stay short.' },
    result: Type.Unknown({
      description:
        'The body of the answer that the act would have had; ids of new records are not used again.',
    }),
  }),
)
