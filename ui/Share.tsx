// How much of a whole is done or used: a bar, and the figures beside it.

import styles from './share.module.css'

/** The bar. `text` says the same in words. */
export const Share = ({ part, whole, text }: { part: number; whole: number; text: string }) => (
  <span className={styles.share}>
    <span aria-hidden className={styles.bar}>
      <span style={{ inlineSize: `${whole === 0 ? 0 : Math.min(100, (100 * part) / whole)}%` }} />
    </span>
    <span className={styles.text}>{text}</span>
  </span>
)
