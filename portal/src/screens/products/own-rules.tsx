// The rules that a product has of its own, in words.

import { marks, type StockRules, stockRuleWords as words } from '../../words/stock-rules.ts'
import styles from './product.module.css'
import type { Product } from './product.tsx'

const rulesOf = (product: Product): StockRules => {
  const fields: object = product
  const given = fields as Readonly<Record<string, number | null>>
  const byMark = (end: string, names: readonly string[]) =>
    Object.fromEntries(names.map(mark => [mark, given[`${mark}${end}`] ?? null]))
  return {
    ...{ rotation: product.rotationMethod, second: product.rotationMethodSecondary },
    ...{ depletion: product.stockDepletionMethod, usage: {} },
    substitution: byMark('Substitution', [...marks, 'serial']),
    critical: byMark('CriticalThresholdDays', marks),
  }
}

export function OwnRules({ product }: { product: Product }) {
  const sentences = words.sentences(rulesOf(product))
  return (
    <div className={styles.text}>
      {sentences.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p className={styles.quiet}>{sentences.length === 0 ? words.noOwnRules : words.ownRulesOnly}</p>
    </div>
  )
}
