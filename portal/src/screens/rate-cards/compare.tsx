// Region Compare: every field in which two versions of a card differ. The address names both.

import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField } from '../../../../ui/Field.tsx'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { read } from '../../api.ts'
import { type CollectionName, chargesOf, collectionsOf, useCardNames } from '../../card-names.ts'
import { useChangeSearch, useSearch } from '../../router.tsx'
import { rateCardWords as words } from '../../words/rate-cards.ts'
import type { Content } from '../../words/rate-charges.ts'
import { chargeName, type NameOf } from '../../words/rate-charges.ts'
import { fieldName, fieldValue } from '../../words/rate-fields.ts'
import type { Card, Version } from './card.tsx'
import styles from './rate-cards.module.css'

// What a version refers to apart from the conditions of its charges.
const always: readonly CollectionName[] = [
  ...(['taxRates', 'revenueAccounts', 'costCentres', 'activityTypes', 'fafProfiles'] as const),
]

function useContent(rateCardId: string, rateCardVersionId: string): Content | undefined {
  return useQuery({
    ...read('/v1/rate-cards/{rateCardId}/versions/{rateCardVersionId}', {
      path: { rateCardId, rateCardVersionId },
    }),
    enabled: rateCardVersionId !== '',
  }).data?.content
}

export function Compare({ card, versions }: { card: Card; versions: readonly Version[] }) {
  const search = useSearch()
  const change = useChangeSearch()
  const [id, other] = [search.Version, search.With].map(value => [value ?? ''].flat()[0] ?? '') as [
    string,
    string,
  ]
  const options = versions.map(version => ({ value: version.id, text: words.version(version.number) }))
  const { data: differences, isError } = useDifferences(card.id, id, other)
  const nameOf = useNames(card, [useContent(card.id, other), useContent(card.id, id)])
  return (
    <Region
      heading={words.compare}
      state={isError ? 'error' : differences === undefined ? 'loading' : 'ready'}
      acts={
        <Button kind="quiet" onPress={() => change({ Version: undefined, With: undefined })}>
          {uiWords.close}
        </Button>
      }
    >
      <div className={styles.choice}>
        <SelectField
          label={words.compareThis}
          value={id}
          onChange={Version => change({ Version })}
          options={options}
        />
        <SelectField
          label={words.compareWith}
          value={other}
          onChange={With => change({ With })}
          options={options}
        />
      </div>
      {differences?.length === 0 ? (
        <Nothing text={words.noDifferences} />
      ) : (
        <SmallTable
          label={words.differences}
          heads={[
            ...[words.rate, words.charge, words.field].map(text => ({ text })),
            ...[words.before, words.after].map(text => ({ text, isAtEnd: true })),
          ]}
          rows={(differences ?? []).map(({ rate, charge, field, from, to }) => ({
            id: [rate, charge, field].join(' '),
            cells: [
              rate ?? words.wholeVersion,
              charge === null ? words.nothing : nameOf(charge),
              fieldName(field),
              fieldValue(field, from, nameOf),
              fieldValue(field, to, nameOf),
            ],
          }))}
        />
      )}
    </Region>
  )
}

const useDifferences = (rateCardId: string, rateCardVersionId: string, other: string) =>
  useQuery({
    ...read('/v1/rate-cards/{rateCardId}/versions/{rateCardVersionId}/differences', {
      path: { rateCardId, rateCardVersionId },
      query: { With: other },
    }),
    enabled: rateCardVersionId !== '' && other !== '',
  })

/** Names the records that two contents refer to, and their charges. */
function useNames(card: Card, contents: readonly (Content | undefined)[]): NameOf {
  const known = contents.filter(content => content !== undefined)
  const collections = new Set([...always, ...collectionsOf(known.flatMap(chargesOf))])
  const { nameOf } = useCardNames(collections, card.partner?.id)
  const charges = new Map(
    known.flatMap(({ rates }) =>
      rates.flatMap(rate =>
        rate.charges.map((charge, i) => [charge.id ?? '', chargeName(charge, i, nameOf)] as const),
      ),
    ),
  )
  return id => charges.get(id) ?? nameOf(id)
}
