// A link that looks like the main button: the act that comes next has a screen of its own.

import type { ReactNode } from 'react'
import styles from '../../../ui/button.module.css'
import { Link } from '../router.tsx'

export const LinkButton = ({ to, hint, children }: { to: string; hint?: string; children: ReactNode }) => (
  <Link to={to} className={`${styles.button} ${styles.main}`}>
    {children}
    {hint !== undefined && (
      <kbd aria-hidden className={styles.hint}>
        {hint}
      </kbd>
    )}
  </Link>
)
