// What storage would come to by the prices as they stand in the editor: each charge, and the days behind it.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { BillingPeriod, type Schemas } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { amount, price, quantity } from '../../../../ui/numbers.ts'
import { StepPlot } from '../../../../ui/plots/StepPlot.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { Nothing, SmallTable } from '../../../../ui/Region.tsx'
import { day, dayFromToday, millisecondsOf } from '../../../../ui/time.ts'
import { send } from '../../api.ts'
import { useMe } from '../../me.ts'
import { reasonsOf } from '../../rehearse.ts'
import { useClientOptions, warehouseOptions } from '../../suggestions.ts'
import { backTestWords } from '../../words/back-tests.ts'
import type { Content } from '../../words/rate-charges.ts'
import { editorWords as words } from '../../words/rate-editor.ts'
import { optionsOfField } from '../../words/rate-fields.ts'
import styles from './editor.module.css'
import type { EditorProps } from './version.tsx'

type Preview = Schemas['StoragePreview']
type Charge = Preview['charges'][number]

export function StoragePreview({ card, content }: { card: EditorProps['card']; content: Content }) {
  const me = useMe()
  const { timezoneId } = me.organisation
  const clients = useClientOptions(me)
  const [given, setGiven] = useState({
    ...{ from: dayFromToday(-30, timezoneId), to: dayFromToday(-1, timezoneId) },
    ...{ client: card.partner?.id ?? '', warehouse: '', period: '' },
  })
  const [asked, setAsked] = useState<string>()
  const partnerId = given.client || (clients[0]?.value ?? '')
  const { data, error } = useQuery({
    queryKey: ['/v1/storage-charges/preview', asked],
    queryFn: async () =>
      (await send('post', '/v1/storage-charges/preview', { body: JSON.parse(asked ?? '') })).data,
    enabled: asked !== undefined,
  })
  const ask = () =>
    setAsked(
      JSON.stringify({
        ...{ partnerId, dateFrom: given.from, dateTo: given.to, content },
        warehouseId: given.warehouse || null,
        billingPeriod: Object.values(BillingPeriod).find(one => String(one) === given.period) ?? null,
      }),
    )
  const field = (name: keyof typeof given) => ({
    value: given[name],
    onChange: (value: string) => setGiven({ ...given, [name]: value }),
  })
  return (
    <section aria-label={words.storage} className={styles.storage}>
      <h3>{words.storage}</h3>
      <div className={styles.fields}>
        {card.partner === null && (
          <SelectField label={words.client} options={clients} {...field('client')} value={partnerId} />
        )}
        <SelectField
          label={words.warehouse}
          options={[{ value: '', text: words.allWarehouses }, ...warehouseOptions(me)]}
          {...field('warehouse')}
        />
        <TextField label={words.from} type="date" help={words.previewHelp} {...field('from')} />
        <TextField label={words.to} type="date" {...field('to')} />
        <SelectField
          label={words.period}
          options={[{ value: '', text: words.asRule }, ...optionsOfField('storage.period')]}
          {...field('period')}
        />
      </div>
      <div className={styles.tried}>
        <Button onPress={ask}>{words.preview}</Button>
        <Refusal reasons={error === null ? [] : reasonsOf(error)} />
      </div>
      {data !== undefined && error === null && <Previewed preview={data} />}
    </section>
  )
}

function Previewed({ preview: { charges, unrated } }: { preview: Preview }) {
  const [open, setOpen] = useState<number>()
  if (charges.length === 0 && unrated.length === 0) return <Nothing text={words.noStorage} />
  return (
    <>
      <SmallTable
        label={words.storage}
        heads={[
          { text: words.particularsHead },
          { text: words.period },
          ...[words.quantityHead, words.rateHead, words.amountHead].map(text => ({ text, isAtEnd: true })),
          { text: words.days },
        ]}
        rows={charges.map((charge, i) => ({
          id: String(i),
          cells: [
            charge.particulars,
            `${day(charge.periodFrom)} – ${day(charge.periodTo)}`,
            quantity(charge.quantity),
            price(charge.chargeRateExclTax),
            amount(charge.amountExclTax),
            <Toggle
              key="days"
              isOpen={open === i}
              name={charge.particulars}
              onToggle={() => setOpen(open === i ? undefined : i)}
            />,
          ],
          below: open === i ? <Days charge={charge} /> : undefined,
        }))}
      />
      {unrated.length > 0 && (
        <SmallTable
          label={words.notStored}
          heads={[
            { text: words.notStored },
            { text: backTestWords.reason },
            { text: words.quantityHead, isAtEnd: true },
          ]}
          rows={unrated.map(row => ({
            id: `${row.warehouseId} ${row.partnerProductId}`,
            cells: [
              `${row.partnerProductCode} ${row.partnerProductName}`,
              backTestWords.reasonOf(row.reason),
              words.unitDays(quantity(row.unitDays)),
            ],
          }))}
        />
      )}
    </>
  )
}

const Toggle = ({ isOpen, name, onToggle }: { isOpen: boolean; name: string; onToggle: () => void }) => (
  <Button
    kind="quiet"
    label={isOpen ? words.hideDays(name) : words.showDays(name)}
    isExpanded={isOpen}
    onPress={onToggle}
  >
    {words.days}
  </Button>
)

/** What each day counts, as a plot, and every figure of it as a table. */
function Days({ charge: { particulars, series } }: { charge: Charge }): ReactNode {
  const counted = (text: string) => quantity(Number(text))
  return (
    <>
      <StepPlot
        label={particulars}
        valueInWords={quantity}
        points={series.map(one => ({
          ...{ id: one.day, at: millisecondsOf(one.day), value: Number(one.counted) },
          text: words.dayInWords(day(one.day), counted(one.counted)),
        }))}
      />
      <SmallTable
        label={words.days}
        heads={[{ text: words.day }, ...words.dayHeads.map(text => ({ text, isAtEnd: true }))]}
        rows={series.map(one => ({
          id: one.day,
          cells: [
            day(one.day),
            ...[one.opening, one.in, one.out, one.peak, one.closing, one.counted].map(counted),
          ],
        }))}
      />
    </>
  )
}
