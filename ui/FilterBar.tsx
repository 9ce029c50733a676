// Above a list: the search, and the filters that are set. Every filter that narrows the list is in sight, and
// can be changed or removed where it stands.

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import styles from './filter-bar.module.css'
import { CloseIcon, PlusIcon } from './icons.tsx'
import { lazily } from './lazily.tsx'
import { Menu } from './Menu.tsx'
import { words } from './words.ts'

// Few choose days, and the dialog is not in the first load.
const PeriodDialog = lazily(() => import('./PeriodDialog.tsx').then(module => module.PeriodDialog))

/** A filter that the list offers. */
export interface Filter {
  /** the name of the API's query parameter; of a period, that of its first day */
  name: string
  /** what people call it */
  label: string
  /** one of a few values, or a period of days */
  kind: 'choice' | 'period'
  /** the name of the parameter of a period's last day */
  toName?: string
  options?: readonly { value: string; text: string }[]
  /** parameters that the API needs beside it, unless the view or another filter sets them */
  implies?: Readonly<Record<string, string>>
}

export type FilterValues = Readonly<Record<string, string | undefined>>

interface SearchBoxProps {
  label: string
  placeholder: string
  value: string
  onChange: (text: string) => void
}

export interface FilterBarProps {
  filters: readonly Filter[]
  values: FilterValues
  onChange: (change: FilterValues) => void
  /** absent: there is nothing to search by */
  search?: SearchBoxProps
  /** how a day is written */
  dayInWords: (day: string) => string
  /** called when somebody wants to add a filter: what it offers may be read only then */
  onAsk?: () => void
  children?: ReactNode
}

/** The bar. */
export function FilterBar({
  filters,
  values,
  onChange,
  search,
  dayInWords,
  onAsk,
  children,
}: FilterBarProps) {
  const [period, setPeriod] = useState<Filter>()
  const isSet = (filter: Filter) =>
    values[filter.name] !== undefined || (filter.toName !== undefined && values[filter.toName] !== undefined)
  const choose = (filter: Filter, value: string) => onChange({ [filter.name]: value })
  return (
    <div className={styles.bar}>
      {search !== undefined && <SearchBox {...search} />}
      {filters.filter(isSet).map(filter => (
        <SetFilter
          key={filter.name}
          filter={filter}
          text={valueInWords(filter, values, dayInWords)}
          values={values}
          onChoose={value => choose(filter, value)}
          onPeriod={() => setPeriod(filter)}
          onRemove={() =>
            onChange({ [filter.name]: undefined, ...(filter.toName ? { [filter.toName]: undefined } : {}) })
          }
        />
      ))}
      <AddFilter
        filters={filters.filter(
          filter => !isSet(filter) && (filter.kind === 'period' || filter.options?.length),
        )}
        onChoose={choose}
        onPeriod={setPeriod}
        onAsk={onAsk}
      />
      {children}
      {period !== undefined && (
        <PeriodDialog
          filter={period}
          values={values}
          onChange={onChange}
          onClose={() => setPeriod(undefined)}
        />
      )}
    </div>
  )
}

/** Searches a moment after the last key, so that each letter is not a request. */
function SearchBox({ label, placeholder, value, onChange }: SearchBoxProps) {
  const [text, setText] = useState(value)
  // What comes back from here is older than what is typed meanwhile; what comes from elsewhere counts.
  const sent = useRef(value)
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setText(value)
  }, [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => {
      sent.current = text
      onChange(text)
    }, 200)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <input
      type="search"
      className={styles.search}
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onChange={event => setText(event.target.value)}
    />
  )
}

function valueInWords(filter: Filter, values: FilterValues, dayInWords: (day: string) => string): string {
  const value = values[filter.name]
  if (filter.kind === 'choice')
    return filter.options?.find(option => option.value === value)?.text ?? value ?? ''
  const to = filter.toName === undefined ? undefined : values[filter.toName]
  return [value, to].map(day => (day === undefined ? '…' : dayInWords(day))).join(' – ')
}

interface SetFilterProps {
  filter: Filter
  text: string
  values: FilterValues
  onChoose: (value: string) => void
  onPeriod: () => void
  onRemove: () => void
}

function SetFilter({ filter, text, values, onChoose, onPeriod, onRemove }: SetFilterProps) {
  const name = words.setFilter(filter.label, text)
  const content = (
    <>
      {filter.label}: <b>{text}</b>
    </>
  )
  return (
    <span className={styles.chip}>
      {filter.kind === 'period' ? (
        <Button kind="quiet" label={name} onPress={onPeriod}>
          {content}
        </Button>
      ) : (
        <Menu
          label={words.filterValue(filter.label)}
          groups={[{ acts: optionsOf(filter, values, onChoose) }]}
        >
          <Button kind="quiet" label={name}>
            {content}
          </Button>
        </Menu>
      )}
      <Button kind="quiet" label={words.removeFilter(filter.label)} onPress={onRemove}>
        <CloseIcon />
      </Button>
    </span>
  )
}

const optionsOf = (filter: Filter, values: FilterValues, onChoose: (value: string) => void) =>
  (filter.options ?? []).map(({ value, text }) => ({
    id: `${filter.name} ${value}`,
    text,
    isChosen: values[filter.name] === value,
    onAct: () => onChoose(value),
  }))

function AddFilter({
  filters,
  onChoose,
  onPeriod,
  onAsk,
}: {
  filters: readonly Filter[]
  onChoose: (filter: Filter, value: string) => void
  onPeriod: (filter: Filter) => void
  onAsk: (() => void) | undefined
}) {
  if (filters.length === 0) return null
  const groups = filters.map(filter =>
    filter.kind === 'period'
      ? { acts: [{ id: filter.name, text: filter.label, onAct: () => onPeriod(filter) }] }
      : {
          heading: filter.label,
          acts: (filter.options ?? []).map(({ value, text }) => ({
            id: `${filter.name} ${value}`,
            text,
            onAct: () => onChoose(filter, value),
          })),
        },
  )
  return (
    <Menu label={words.addFilter} groups={groups} onOpen={onAsk}>
      <Button kind="quiet">
        <PlusIcon />
        {words.addFilter}
      </Button>
    </Menu>
  )
}
