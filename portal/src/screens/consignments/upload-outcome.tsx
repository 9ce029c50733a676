// What the check of an upload found, row by row, and what became of its orders.

import { useEffect, useRef } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Nothing, Region, Rows, SmallTable } from '../../../../ui/Region.tsx'
import { Link } from '../../router.tsx'
import { uploadWords as words } from '../../words/upload.ts'
import styles from './new.module.css'
import { accepted, known, type UploadedOrder } from './use-upload.ts'

/** So many rows, or orders, are shown. */
const maxShown = 200

const isAccepted = ({ result }: UploadedOrder) => result === accepted
const isFaulty = ({ result }: UploadedOrder) => result !== accepted && result !== known

export function Checked({
  imports,
  isPending,
  onUpload,
}: {
  imports: readonly UploadedOrder[]
  isPending: boolean
  onUpload: () => void
}) {
  const right = imports.filter(isAccepted)
  const waiting = right.filter(({ messages }) => messages.length > 0)
  const faulty = imports.filter(isFaulty)
  const knownCount = imports.length - right.length - faulty.length
  const found = [
    words.willUpload(right.length),
    ...(waiting.length > 0 ? [words.waits(waiting.length)] : []),
    ...(faulty.length > 0 ? [words.faulty(faulty.length)] : []),
    ...(knownCount > 0 ? [words.known(knownCount)] : []),
  ]
  const outcome = useFocusOnce()
  return (
    <div ref={outcome} tabIndex={-1} className={styles.outcome}>
      <Region
        heading={words.checked}
        acts={
          <Button kind="main" isDisabled={right.length === 0} isPending={isPending} onPress={onUpload}>
            {words.upload(right.length)}
          </Button>
        }
      >
        <div role="status">
          <Rows>
            {found.map(sentence => (
              <li key={sentence}>{sentence}</li>
            ))}
          </Rows>
        </div>
      </Region>
      <ProblemRows heading={words.faultyRows} imports={faulty} />
      <ProblemRows heading={words.waitingRows} imports={waiting} />
    </div>
  )
}

/** Brings into view what comes below the fold, and lets keys go on from there. */
function useFocusOnce() {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    element.current?.focus({ preventScroll: true })
    element.current?.scrollIntoView({ block: 'start' })
  }, [])
  return element
}

/** What is wrong, by row and column. Nothing without problems. */
function ProblemRows({ heading, imports }: { heading: string; imports: readonly UploadedOrder[] }) {
  const rows = imports.flatMap(({ referenceNumber, details }) =>
    details.map(({ row, column, message }, i) => ({
      id: `${row} ${column} ${i}`,
      cells: [row, column, referenceNumber ?? '', message.replace(/^Row \d+: /, '')],
    })),
  )
  if (rows.length === 0) return null
  return (
    <Region heading={heading}>
      <SmallTable
        isGrid
        label={heading}
        heads={[
          { text: words.row, isAtEnd: true },
          ...[{ text: words.column }, { text: words.order }, { text: words.problem }],
        ]}
        rows={rows.slice(0, maxShown)}
      />
      {rows.length > maxShown && <Nothing text={words.moreRows(rows.length - maxShown)} />}
    </Region>
  )
}

export function Uploaded({ imports }: { imports: readonly UploadedOrder[] }) {
  const made = imports.filter(isAccepted)
  return (
    <Region heading={words.uploaded} acts={<Link to="/imports">{words.openImports}</Link>}>
      <div role="status">
        <Nothing text={words.uploadedText(made.length)} />
      </div>
      <Rows>
        {made.slice(0, maxShown).map(({ consignmentImportId, referenceNumber }) => (
          <li key={consignmentImportId} data-id={consignmentImportId}>
            <Link to={`/imports/${consignmentImportId}`}>{referenceNumber}</Link>
          </li>
        ))}
      </Rows>
      {made.length > maxShown && <Nothing text={words.moreRows(made.length - maxShown)} />}
    </Region>
  )
}
