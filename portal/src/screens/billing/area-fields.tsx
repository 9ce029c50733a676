// The fields of the areas of a locality. An address is in it if any of them holds.

import { Button } from '../../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { setUpWords as words } from '../../words/set-up.ts'
import styles from '../schedules/money.module.css'
import { type AreaKind, areaKinds, type TypedArea, typedAreaOf } from './area.ts'

interface AreaFieldsProps {
  areas: readonly TypedArea[]
  onChange: (areas: readonly TypedArea[]) => void
}

export function AreaFields({ areas, onChange }: AreaFieldsProps) {
  const change = (at: number, part: Partial<TypedArea>) =>
    onChange(areas.map((area, i) => (i === at ? { ...area, ...part } : area)))
  return (
    <>
      {areas.map((area, i) => (
        <fieldset key={area.id} className={styles.area}>
          <legend>{words.areaOf(i + 1)}</legend>
          <OneArea area={area} onChange={part => change(i, part)} />
          {areas.length > 1 && (
            <Button kind="quiet" onPress={() => onChange(areas.filter((_, at) => at !== i))}>
              {words.removeArea(i + 1)}
            </Button>
          )}
        </fieldset>
      ))}
      <div>
        <Button onPress={() => onChange([...areas, typedAreaOf({ country: areas.at(-1)?.country ?? '' })])}>
          {words.addArea}
        </Button>
      </div>
    </>
  )
}

function OneArea({ area, onChange }: { area: TypedArea; onChange: (part: Partial<TypedArea>) => void }) {
  const labels: readonly string[] = words.areaLabels[area.kind]
  const hasCountry = area.kind !== 'circle' && area.kind !== 'polygon'
  return (
    <>
      <SelectField
        label={words.areaKind}
        value={area.kind}
        onChange={kind => onChange({ kind: areaKinds.find(one => one === kind) ?? area.kind })}
        options={areaKinds.map((value: AreaKind) => ({ value, text: words.areaKindOf[value] }))}
      />
      {hasCountry && (
        <TextField
          label={words.country}
          value={area.country}
          maxLength={2}
          onChange={country => onChange({ country })}
        />
      )}
      {(['first', 'second', 'third'] as const).slice(0, labels.length).map((name, i) => (
        <TextField
          key={name}
          label={labels[i] ?? ''}
          value={area[name]}
          isMultiline={area.kind === 'polygon'}
          onChange={value => onChange({ [name]: value })}
        />
      ))}
    </>
  )
}
