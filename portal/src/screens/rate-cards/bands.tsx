// The bands of a charge: up to which quantity which rate holds.

import { RateBreaks } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField } from '../../../../ui/Field.tsx'
import { CloseIcon } from '../../../../ui/icons.tsx'
import type { RateCharge } from '../../words/rate-charges.ts'
import { editorWords as words } from '../../words/rate-editor.ts'
import { fieldWords, optionsOfField } from '../../words/rate-fields.ts'
import type { ChargeFormProps } from './charge-form.tsx'
import styles from './editor.module.css'
import { NumberField } from './number-field.tsx'

type Breaks = NonNullable<RateCharge['breaks']>
type Band = Breaks['bands'][number]

export function Bands({
  charge,
  faultAt,
  onChange,
}: Pick<ChargeFormProps, 'charge' | 'faultAt' | 'onChange'>) {
  const { breaks } = charge
  const kind = breaks?.kind ?? RateBreaks.None
  const bands = kind === RateBreaks.None ? [] : (breaks?.bands ?? [])
  const setBands = (next: Band[]) => onChange({ ...charge, breaks: { kind, bands: next } })
  const change = (at: number, part: Partial<Band>) =>
    setBands(bands.map((band, i) => (i === at ? { ...band, ...part } : band)))
  return (
    <>
      <SelectField
        label={fieldWords['breaks.kind']}
        value={String(kind)}
        onChange={value =>
          onChange(
            withBreaks(
              charge,
              Object.values(RateBreaks).find(one => String(one) === value),
            ),
          )
        }
        options={optionsOfField('breaks.kind')}
        fault={faultAt('breaks.kind') ?? faultAt('breaks.bands')}
      />
      {bands.map((band, i) => (
        <BandFields
          key={words.band(i + 1)}
          {...{ band, faultAt, at: i, isProgressive: kind === RateBreaks.Progressive }}
          isLast={i === bands.length - 1}
          onChange={part => change(i, part)}
          onRemove={bands.length === 1 ? undefined : () => setBands(withoutBand(bands, i))}
        />
      ))}
      {bands.length > 0 && <Button onPress={() => setBands(withBand(bands))}>{words.addBand}</Button>}
    </>
  )
}

interface BandFieldsProps extends Pick<ChargeFormProps, 'faultAt'> {
  band: Band
  at: number
  isLast: boolean
  isProgressive: boolean
  onChange: (part: Partial<Band>) => void
  /** absent: it is the only one */
  onRemove: (() => void) | undefined
}

const BandFields = ({ band, at, isLast, isProgressive, faultAt, onChange, onRemove }: BandFieldsProps) => (
  <fieldset className={styles.band}>
    <legend>
      {words.band(at + 1)}
      {onRemove !== undefined && (
        <Button kind="quiet" label={words.removeBand(at + 1)} onPress={onRemove}>
          <CloseIcon />
        </Button>
      )}
    </legend>
    {!isLast && (
      <NumberField
        label={words.upTo}
        value={band.upTo}
        onChange={upTo => onChange({ upTo })}
        fault={faultAt(`breaks.bands[${at}].upTo`)}
      />
    )}
    <NumberField
      label={fieldWords.rateExclTax}
      value={band.rateExclTax}
      onChange={rate => onChange({ rateExclTax: rate ?? 0 })}
      fault={faultAt(`breaks.bands[${at}].rateExclTax`)}
    />
    {!isProgressive && (
      <NumberField
        label={fieldWords.baseExclTax}
        value={band.baseExclTax}
        onChange={baseExclTax => onChange({ baseExclTax })}
        fault={faultAt(`breaks.bands[${at}].baseExclTax`)}
      />
    )}
  </fieldset>
)

/** The charge with bands of a kind; the present rate becomes that of the first, and the other way round. */
function withBreaks({ breaks, ...charge }: RateCharge, kind: Breaks['kind'] | undefined): RateCharge {
  if (kind === undefined || kind === RateBreaks.None)
    return { ...charge, rateExclTax: charge.rateExclTax ?? breaks?.bands[0]?.rateExclTax ?? 0 }
  const own = breaks?.bands.length ? breaks.bands : [{ upTo: null, rateExclTax: charge.rateExclTax ?? 0 }]
  const isProgressive = kind === RateBreaks.Progressive
  return {
    ...charge,
    rateExclTax: null,
    ...(isProgressive ? { minExclTax: null, maxExclTax: null } : {}),
    breaks: { kind, bands: own.map(band => (isProgressive ? { ...band, baseExclTax: null } : band)) },
  }
}

/** One band more, before the last, which has no end. */
function withBand(bands: readonly Band[]): Band[] {
  const last = bands.at(-1) ?? { upTo: null, rateExclTax: 0 }
  return [...bands.slice(0, -1), { ...last, upTo: (bands.at(-2)?.upTo ?? 0) + 1 }, { ...last, upTo: null }]
}

const withoutBand = (bands: readonly Band[], at: number): Band[] =>
  bands.toSpliced(at, 1).map((band, i, left) => (i === left.length - 1 ? { ...band, upTo: null } : band))
