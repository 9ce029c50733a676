// Adds a product that came without having been announced.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { SuggestField } from '../../../../ui/SuggestField.tsx'
import { useProducts } from '../../suggestions.ts'
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
  const products = useProducts(clientId, code)
  const free = products.filter(({ id }) => !taken.includes(id))
  const chosen = free.find(product => product.code.toLowerCase() === code.trim().toLowerCase())
  return (
    <form
      aria-label={words.addProduct}
      className={styles.unannounced}
      onSubmit={event => {
        event.preventDefault()
        if (chosen === undefined) return
        onChoose(unannounced(chosen))
        setCode('')
      }}
    >
      <SuggestField label={words.unannounced} value={code} onChange={setCode} suggestions={free} />
      <Button type="submit" isDisabled={chosen === undefined}>
        {words.add}
      </Button>
    </form>
  )
}
