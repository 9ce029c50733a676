// The documents of a consignment, each for download and for print. Those that its type does not have are
// absent.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Region } from '../../../../ui/Region.tsx'
import { readFile } from '../../api.ts'
import { save } from '../../frame/export-rows.ts'
import { useMe } from '../../me.ts'
import { type Paper, papersFor } from '../../papers.ts'
import { reasonsOf } from '../../rehearse.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'
import { mayPrint, PrintDialog } from './print-dialog.tsx'

/** Downloads a file of the service. */
export async function download(path: string, otherwise: string): Promise<void> {
  try {
    const { blob, name } = await readFile(path)
    save(blob, name ?? otherwise)
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
}

export function Documents({ consignment }: { consignment: Consignment }) {
  const { id } = consignment
  const me = useMe()
  const isPrinter = mayPrint(me)
  const [loading, setLoading] = useState<Paper>()
  const [printing, setPrinting] = useState<Paper>()
  return (
    <Region heading={words.documents} isBare>
      <ul className={styles.documents}>
        {papersFor(me, consignment).map(paper => (
          <li key={paper}>
            <span>{words.document[paper]}</span>
            <span className={styles.rowActs}>
              <Button
                kind="quiet"
                label={words.downloadOf(words.document[paper])}
                isPending={loading === paper}
                onPress={() => {
                  setLoading(paper)
                  void download(`/v1/consignments/${id}/${paper}`, `${paper}.pdf`).then(() =>
                    setLoading(undefined),
                  )
                }}
              >
                {words.download}
              </Button>
              {isPrinter && (
                <Button
                  kind="quiet"
                  label={words.printOf(words.document[paper])}
                  onPress={() => setPrinting(paper)}
                >
                  {words.print}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {printing !== undefined && (
        <PrintDialog consignment={consignment} paper={printing} onClose={() => setPrinting(undefined)} />
      )}
    </Region>
  )
}
