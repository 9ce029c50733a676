// Above the editor: that a version is approved, what the service refused to save, and what its author
// probably did not intend.

import { useEffect, useRef } from 'react'
import { WarningIcon } from '../../../../ui/icons.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { instant } from '../../../../ui/time.ts'
import type { CardNames } from '../../card-names.ts'
import { rateCardWords } from '../../words/rate-cards.ts'
import type { Content } from '../../words/rate-charges.ts'
import { chargeName } from '../../words/rate-charges.ts'
import { placeInWords, editorWords as words } from '../../words/rate-editor.ts'
import styles from './editor.module.css'
import type { EditorProps } from './version.tsx'

export function Reasons({ version, draft, names }: EditorProps & { names: CardNames }) {
  const { approvedUtc, approvedBy, warnings } = version
  const { faults } = draft.edited
  const placesIn = (content: Content) => (rate: number, charge: number | undefined) => {
    const { name, charges } = content.rates[rate] ?? { name: rateCardWords.rate, charges: [] }
    const one = charge === undefined ? undefined : charges[charge]
    return one === undefined ? name : words.chargeOf(name, chargeName(one, charge ?? 0, names.nameOf))
  }
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (faults.all.length > 0) alert.current?.scrollIntoView({ block: 'center' })
  }, [faults])
  return (
    <>
      {approvedUtc !== null && (
        <p role="note" className={styles.note}>
          {words.frozen(approvedBy, instant(approvedUtc))}
        </p>
      )}
      <div ref={alert} className={styles.refusal}>
        <Refusal
          heading={words.thingsToCorrect(faults.all.length)}
          reasons={faults.all.map(reason => placeInWords(reason, placesIn(draft.content)))}
        />
      </div>
      {warnings.length > 0 && (
        <ul aria-label={words.warnings} className={styles.warnings}>
          {warnings.map(warning => (
            <li key={warning} className={styles.warning}>
              <WarningIcon />
              <span>{placeInWords(warning, placesIn(version.content))}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
