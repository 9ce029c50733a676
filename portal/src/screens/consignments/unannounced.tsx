// Adds a product that came without having been announced.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { SuggestField } from '../../../../ui/SuggestField.tsx'
import { read } from '../../api.ts'
import { useSettled } from '../../use-settled.ts'
import { receiveWords as words } from '../../words/receive.ts'
import { type Arrival, unannounced } from './arrivals.ts'
import styles from './receive.module.css'

export function Unannounced({
  clientId,
  taken,
  onChoose,
}: {
  clientId: string
  /** the products that have a row */
  taken: readonly string[]
  onChoose: (arrival: Arrival) => void
}) {
  const [code, setCode] = useState('')
  const settled = useSettled(code)
  const { data } = useQuery({
    ...read('/v1/partners/{partnerId}/products', {
      path: { partnerId: clientId },
      query: settled === '' ? { PageSize: 20 } : { SearchText: settled, PageSize: 20 },
    }),
    placeholderData: before => before,
  })
  const free = data?.products.filter(({ id }) => !taken.includes(id)) ?? []
  const chosen = free.find(product => product.code.toLowerCase() === code.trim().toLowerCase())
  return (
    <form
      className={styles.unannounced}
      onSubmit={event => {
        event.preventDefault()
        if (chosen === undefined) return
        onChoose(unannounced(chosen))
        setCode('')
      }}
    >
      <SuggestField
        label={words.unannounced}
        value={code}
        onChange={setCode}
        suggestions={free.map(product => ({ value: product.code, text: product.name }))}
      />
      <Button type="submit" isDisabled={chosen === undefined}>
        {words.add}
      </Button>
    </form>
  )
}
