// A status: its word, and a dot in the colour of whoever must act. A ring instead of a dot says that nothing
// goes on from here by itself. Colour never says anything alone.

import styles from './pill.module.css'
import type { Tone } from './tone.ts'

/** A status as a pill. */
export const Pill = ({ text, tone, isRing = false }: { text: string; tone: Tone; isRing?: boolean }) => (
  <span className={`${styles.pill} ${styles[tone]}`}>
    <span aria-hidden className={isRing ? styles.ring : styles.dot} />
    {text}
  </span>
)
