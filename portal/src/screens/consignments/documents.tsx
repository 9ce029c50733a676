// The documents of a consignment, each for download. Those that its type does not have are absent.

import { useState } from 'react'
import { ConsignmentType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Region } from '../../../../ui/Region.tsx'
import { readFile } from '../../api.ts'
import { save } from '../../frame/export-rows.ts'
import { reasonsOf } from '../../rehearse.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'

type Document =
  | 'detail-pdf'
  | 'picking-list-pdf'
  | 'dispatch-confirmation-pdf'
  | 'receipt-confirmation-pdf'
  | 'dg-declaration-pdf'
  | 'pallet-labels'

const documentsOf = (type: number): readonly Document[] => [
  'detail-pdf',
  ...(type === ConsignmentType.Outwards ? (['picking-list-pdf', 'dispatch-confirmation-pdf'] as const) : []),
  ...(type === ConsignmentType.Inwards ? (['receipt-confirmation-pdf'] as const) : []),
  'dg-declaration-pdf',
  'pallet-labels',
]

export function Documents({ consignment: { id, type } }: { consignment: Consignment }) {
  const [loading, setLoading] = useState<Document>()
  async function download(document: Document): Promise<void> {
    setLoading(document)
    try {
      const { blob, name } = await readFile(`/v1/consignments/${id}/${document}`)
      save(blob, name ?? `${document}.pdf`)
    } catch (error) {
      notify({ text: reasonsOf(error).join(' '), isAlert: true })
    } finally {
      setLoading(undefined)
    }
  }
  return (
    <Region heading={words.documents} isBare>
      <ul className={styles.documents}>
        {documentsOf(type).map(document => (
          <li key={document}>
            <span>{words.document[document]}</span>
            <Button
              kind="quiet"
              label={words.downloadOf(words.document[document])}
              isPending={loading === document}
              onPress={() => void download(document)}
            >
              {words.download}
            </Button>
          </li>
        ))}
      </ul>
    </Region>
  )
}
