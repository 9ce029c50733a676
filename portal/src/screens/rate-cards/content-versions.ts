// Two contents side by side, for whoever saves second: rate by rate, as sentences.

import type { Version as Compared } from '../../frame/Conflict.tsx'
import { rateCardWords as words } from '../../words/rate-cards.ts'
import type { Content } from '../../words/rate-charges.ts'
import { type NameOf, sentenceOf } from '../../words/rate-charges.ts'
import { fieldName, fieldValue } from '../../words/rate-fields.ts'
import type { Draft } from './use-draft.ts'
import type { VersionDetail } from './version.tsx'

const termNames = [
  ...(['defaultTaxRateId', 'fafProfileId', 'minimumSpendPerPeriod'] as const),
  'minimumSpendRevenueAccountId' as const,
]

function sentencesOf({ rates }: Content, id: string | null | undefined, nameOf: NameOf): string {
  const rate = rates.find(one => one.id === id)
  return (
    rate?.charges
      .map((charge, i) => sentenceOf(charge, rate.kind, i === rate.charges.length - 1, nameOf))
      .join(' ') ?? ''
  )
}

/** What is typed beside what is stored. */
export function contentVersions(
  { content, terms }: Pick<Draft, 'content' | 'terms'>,
  stored: VersionDetail,
  nameOf: NameOf,
): readonly Compared[] {
  const rates = new Map(
    [...stored.content.rates, ...content.rates].map(({ id, name }) => [id, name] as const),
  )
  return [
    { label: words.effectiveFrom, mine: terms.effectiveFrom, theirs: stored.effectiveFrom },
    { label: words.note, mine: terms.note.trim(), theirs: stored.note ?? '' },
    ...termNames.map(field => ({
      label: fieldName(field),
      mine: fieldValue(field, content[field], nameOf),
      theirs: fieldValue(field, stored.content[field], nameOf),
    })),
    ...[...rates].map(([id, label]) => ({
      label,
      mine: sentencesOf(content, id, nameOf),
      theirs: sentencesOf(stored.content, id, nameOf),
    })),
  ]
}
