// The unit chain of a product as a picture: from one item to its largest unit, each with what it holds; and a
// converter between them.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MetricResolution, MetricType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { ArrowIcon } from '../../../../ui/icons.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import { useSettled } from '../../../../ui/use-settled.ts'
import { words as uiWords } from '../../../../ui/words.ts'
import { send } from '../../api.ts'
import { productWords as words } from '../../words/products.ts'
import { EditUnits } from './edit-units.tsx'
import type { Product, ProductProps } from './product.tsx'
import styles from './unit-chain.module.css'

type Step = Product['unitConversions'][number]

const inputOf = ({ inputMetricType, inputUnitType }: Step) =>
  words.unitName({ metricType: inputMetricType, name: inputUnitType?.name })
const outputOf = ({ outputMetricType, outputUnitType }: Step, product: Product) =>
  nameOf(outputMetricType, outputUnitType?.name, product)

/** The steps from the smallest unit to the largest. */
const chainOf = ({ unitConversions }: Product) =>
  unitConversions.toSorted((a, b) => a.itemConversionRate - b.itemConversionRate)

export function UnitChain({ partnerId, product, mayEdit }: ProductProps) {
  const [isEditing, setEditing] = useState(false)
  const steps = chainOf(product)
  const itemName = product.productUnitTypeName ?? words.item
  return (
    <Region
      heading={words.unitChain}
      acts={
        mayEdit &&
        !isEditing && (
          <Button kind="quiet" onPress={() => setEditing(true)}>
            {uiWords.edit}
          </Button>
        )
      }
    >
      {isEditing ? (
        <EditUnits partnerId={partnerId} product={product} onClose={() => setEditing(false)} />
      ) : steps.length === 0 ? (
        <Nothing text={words.noChain} />
      ) : (
        <>
          <ol className={styles.chain} aria-label={words.unitChain}>
            <li>
              <Picture size={0} />
              <b>{itemName}</b>
              <span className={styles.quiet}>{words.oneItem}</span>
            </li>
            {steps.map((step, i) => (
              <li key={inputOf(step)}>
                <span className={styles.arrow}>
                  <ArrowIcon />
                </span>
                <Picture size={Math.min(i + 1, 3)} />
                <b>{inputOf(step)}</b>
                <span>{words.holds(step.conversionRate, outputOf(step, product))}</span>
                {step.outputMetricType !== MetricType.Item && (
                  <span className={styles.quiet}>{words.items(step.itemConversionRate)}</span>
                )}
                {step.gtin !== null && <code className={styles.code}>{step.gtin}</code>}
              </li>
            ))}
          </ol>
          <Converter partnerId={partnerId} product={product} steps={steps} />
        </>
      )}
    </Region>
  )
}

/** Boxes in rows of so many. */
const boxesOf = (n: number) =>
  Array.from({ length: n * n }, (_, i) => ({ id: `box ${i}`, column: i % n, row: Math.floor(i / n) }))

/** One box, and more of them in a unit that holds units. */
function Picture({ size }: { size: number }) {
  const n = [1, 2, 3, 4][size] ?? 4
  const side = [26, 17, 13, 11][size] ?? 11
  return (
    <svg className={styles.picture} width="60" height="56" viewBox="0 0 60 56" aria-hidden>
      {boxesOf(n).map(({ id, column, row }) => (
        <rect
          key={id}
          x={(60 - n * side) / 2 + column * side + 0.75}
          y={52 - side - row * side}
          width={side - 1.5}
          height={side - 1.5}
          rx={2}
        />
      ))}
      {size === 3 && <path d="M4 53.5h52" />}
    </svg>
  )
}

/** What a quantity of one unit is in the others, as the service converts it. */
function useConverted(
  { partnerId, product }: Pick<ProductProps, 'partnerId' | 'product'>,
  input: { inputMetricType: MetricType; inputUnitTypeId: string | null; inputQuantity: number },
) {
  const settled = useSettled(JSON.stringify(input))
  return useQuery({
    queryKey: ['/v1/partners/{partnerId}/products/convert-units', product.id, settled],
    queryFn: async () => {
      const conversion = { id: product.id, ...(JSON.parse(settled) as typeof input) }
      const { data } = await send('post', '/v1/partners/{partnerId}/products/convert-units', {
        path: { partnerId },
        body: {
          conversions: [
            { ...conversion, metricResolution: MetricResolution.Compound },
            { ...conversion, metricResolution: MetricResolution.Cascade },
          ],
        },
      })
      return data.results
    },
    enabled: input.inputQuantity > 0,
    placeholderData: before => before,
  })
}

function Converter({
  partnerId,
  product,
  steps,
}: Pick<ProductProps, 'partnerId' | 'product'> & { steps: readonly Step[] }) {
  const [typed, setTyped] = useState('1')
  const [chosen, setChosen] = useState(String(steps.length - 1))
  const step = steps[Number(chosen)]
  const { data } = useConverted(
    { partnerId, product },
    {
      inputMetricType: step?.inputMetricType ?? MetricType.Item,
      ...{ inputUnitTypeId: step?.inputUnitType?.id ?? null, inputQuantity: Number(typed) || 0 },
    },
  )
  const inWords = (
    metrics: readonly { metricType: number; unitTypeName: string | null; quantity: number }[],
  ) => metrics.map(one => words.result(one.quantity, nameOf(one.metricType, one.unitTypeName, product)))
  return (
    <div className={styles.converter}>
      <TextField label={words.quantity} type="number" value={typed} onChange={setTyped} />
      <SelectField
        label={words.inUnit}
        value={chosen}
        onChange={setChosen}
        options={[
          { value: '-1', text: nameOf(MetricType.Item, null, product) },
          ...steps.map((one, i) => ({ value: String(i), text: inputOf(one) })),
        ]}
      />
      <output className={styles.result} aria-label={words.converter}>
        {data !== undefined && (
          <>
            <b>{inWords(data[0]?.metrics ?? []).join(' = ')}</b>
            <span className={styles.quiet}>
              {words.whole}: {inWords(data[1]?.metrics ?? []).join(', ') || quantity(0)}
            </span>
          </>
        )}
      </output>
    </div>
  )
}

const nameOf = (metricType: number, name: string | null | undefined, { productUnitTypeName }: Product) =>
  metricType === MetricType.Item ? (productUnitTypeName ?? words.item) : words.unitName({ metricType, name })
