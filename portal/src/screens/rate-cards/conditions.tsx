// For what a charge is: its conditions, of which all have to hold. Each is one of several values.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { CloseIcon, PlusIcon } from '../../../../ui/icons.tsx'
import { Menu } from '../../../../ui/Menu.tsx'
import { SuggestField } from '../../../../ui/SuggestField.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { collectionOf } from '../../card-names.ts'
import { isDemanded, selectorsOf } from '../../charge-rules.ts'
import {
  type SelectorName,
  type Selectors,
  selectorOptions,
  selectorWords,
} from '../../words/rate-charges.ts'
import { editorWords as words } from '../../words/rate-editor.ts'
import type { ChargeFormProps } from './charge-form.tsx'
import { Choices } from './choices.tsx'
import styles from './editor.module.css'

/** Beyond so many, options are searched for. */
const maxShown = 30

export function Conditions(props: ChargeFormProps) {
  const { rate, charge, hasProducts, onChange } = props
  const when = charge.when ?? {}
  const possible = selectorsOf(rate, charge, hasProducts)
  const isSet = (name: SelectorName) => when[name] != null
  const shown = (Object.keys(selectorWords) as SelectorName[]).filter(
    name => isSet(name) || (isDemanded(name) && possible.includes(name)),
  )
  const set = (part: Partial<Selectors>) => onChange({ ...charge, when: { ...when, ...part } })
  const offered = possible.filter(name => !shown.includes(name))
  return (
    <>
      {shown.map(name => (
        <Condition
          key={name}
          name={name}
          value={when[name]}
          {...props}
          onSet={value => set({ [name]: value } as Partial<Selectors>)}
        />
      ))}
      {offered.length > 0 && (
        <Menu
          label={words.addCondition}
          groups={[
            {
              acts: offered.map(name => ({
                id: name,
                text: selectorWords[name],
                onAct: () => set({ [name]: name === 'isContainerised' ? true : [] } as Partial<Selectors>),
              })),
            },
          ]}
        >
          <Button>
            <PlusIcon />
            {words.addCondition}
          </Button>
        </Menu>
      )}
    </>
  )
}

type ConditionProps = ChargeFormProps & {
  name: SelectorName
  value: Selectors[SelectorName]
  onSet: (value: unknown) => void
}

function Condition({ name, value, names, faultAt, onSet }: ConditionProps) {
  const label = selectorWords[name]
  const remove = !isDemanded(name) && (
    <Button kind="quiet" label={words.removeCondition(label)} onPress={() => onSet(null)}>
      <CloseIcon />
    </Button>
  )
  if (name === 'isContainerised')
    return (
      <div className={styles.switched}>
        <SwitchField label={label} isOn={value === true} onChange={onSet} />
        {remove}
      </div>
    )
  if (name === 'productAttributes') return <Attributes {...{ value, names, onSet, remove, label }} />
  const enumerated = selectorOptions(name)
  const chosen = (Array.isArray(value) ? value : []).map(String)
  const collection = collectionOf(name)
  const options =
    enumerated?.map(one => ({ value: String(one.value), text: one.text })) ??
    (collection === undefined ? [] : names.optionsOf(collection))
  const fault = faultAt(`when.${name}`)
  const choose = (next: readonly string[]) => onSet(enumerated === undefined ? [...next] : next.map(Number))
  if (options.length <= maxShown)
    return <Choices {...{ label, options, chosen, fault }} acts={remove} onChange={choose} />
  return <SearchedChoices {...{ label, options, chosen, fault }} acts={remove} onChange={choose} />
}

/** Of many, those that are chosen, and a field that adds another. */
function SearchedChoices({ options, chosen, onChange, ...props }: Parameters<typeof Choices>[0]) {
  const [typed, setTyped] = useState('')
  const add = (text: string) => {
    const option = options.find(one => one.text === text)
    if (option !== undefined && !chosen.includes(option.value)) onChange([...chosen, option.value])
    setTyped(option === undefined ? text : '')
  }
  return (
    <>
      <Choices
        {...props}
        options={options.filter(({ value }) => chosen.includes(value))}
        chosen={chosen}
        onChange={onChange}
      />
      <SuggestField
        label={words.addTo(props.label)}
        value={typed}
        onChange={add}
        suggestions={options.map(({ text }) => ({ value: text }))}
      />
    </>
  )
}

type Attribute = NonNullable<Selectors['productAttributes']>[number]

/** Attributes of products: for each, the descriptions of which one must hold, with commas between them. */
function Attributes({
  value,
  names,
  onSet,
  remove,
  label,
}: Pick<ConditionProps, 'value' | 'names' | 'onSet'> & { remove: React.ReactNode; label: string }) {
  const attributes = (Array.isArray(value) ? value : []) as readonly Attribute[]
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const change = (productAttributeId: string, text: string) => {
    setTyped({ ...typed, [productAttributeId]: text })
    const descriptions = text.split(',').flatMap(one => one.trim() || [])
    const others = attributes.filter(one => one.productAttributeId !== productAttributeId)
    onSet(descriptions.length === 0 ? others : [...others, { productAttributeId, descriptions }])
  }
  const textOf = (id: string) =>
    typed[id] ?? attributes.find(one => one.productAttributeId === id)?.descriptions.join(', ') ?? ''
  return (
    <fieldset className={styles.choices}>
      <legend>
        {label}
        {remove}
      </legend>
      {names.optionsOf('productAttributes').map(({ value: id, text }) => (
        <SuggestField
          key={id}
          label={text}
          help={words.descriptionsHelp}
          value={textOf(id)}
          onChange={next => change(id, next)}
          suggestions={[]}
        />
      ))}
    </fieldset>
  )
}
