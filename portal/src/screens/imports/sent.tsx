// Region What was sent: the fields of the request, those at fault marked.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Facts, Nothing, Region } from '../../../../ui/Region.tsx'
import { groupInWords, type Leaf, leavesOf } from '../../import-request.ts'
import { consignmentWords } from '../../words/consignments.ts'
import { importWords as words } from '../../words/imports.ts'
import type { Import } from './import.tsx'
import styles from './imports.module.css'

/** The region. `onEdit` is absent for what can no longer be changed. */
export function Sent({ of, onEdit }: { of: Import; onEdit: (() => void) | undefined }) {
  const [isJson, setJson] = useState(false)
  useKeys(onEdit === undefined ? {} : { e: onEdit })
  const groups = Map.groupBy(leavesOf(of.request), ({ group }) => group)
  const faulty = new Set(of.reasons.flatMap(({ path }) => (path === null ? [] : [path])))
  return (
    <Region
      heading={words.sent}
      acts={
        <>
          <Button kind="quiet" onPress={() => setJson(!isJson)} isExpanded={isJson}>
            {isJson ? words.hideJson : words.showJson}
          </Button>
          {onEdit !== undefined && (
            <Button kind="quiet" hint="E" onPress={onEdit}>
              {words.edit}
            </Button>
          )}
        </>
      }
    >
      {isJson ? (
        <pre className={styles.json}>{JSON.stringify(of.request, null, 2)}</pre>
      ) : groups.size === 0 ? (
        <Nothing text={words.notKept} />
      ) : (
        <div className={styles.groups}>
          {[...groups].map(([group, leaves]) => (
            <section key={group} aria-label={words.group(group, groupInWords(group))}>
              <h3>{words.group(group, groupInWords(group))}</h3>
              <Facts facts={leaves.map(leaf => [leaf.label, shownValue(leaf, faulty)] as const)} />
            </section>
          ))}
        </div>
      )}
    </Region>
  )
}

function shownValue({ path, value }: Leaf, faulty: ReadonlySet<string>) {
  const text = path === 'consignmentType' ? consignmentWords.type(Number(value)) : String(value)
  return faulty.has(path) ? <mark className={styles.faulty}>{text}</mark> : text
}
