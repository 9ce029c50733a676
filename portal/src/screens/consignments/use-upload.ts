// The state of an upload: what was chosen, what the check found, and what became of the orders.

import { useState } from 'react'
import { ConsignmentType, type Schemas } from '../../../../client/src/waybill.ts'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import { base64Of } from '../../files.ts'
import { useMe } from '../../me.ts'
import {
  type ColumnMapping,
  type FileStart,
  guessColumns,
  keptColumns,
  startOf,
} from '../../order-columns.ts'
import { changePreferences, usePreferences } from '../../preferences.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { uploadWords as words } from '../../words/upload.ts'

export type UploadedOrder = Schemas['ConsignmentImportsUploaded']['imports'][number]
/** As the service numbers what becomes of an order. */
export const [accepted, known] = [1, 2]

export function useUpload() {
  const me = useMe()
  const { uploads } = usePreferences(true)
  const [about, setAbout] = useState({
    type: ConsignmentType.Outwards as number,
    clientCode: me.partner?.code ?? '',
    warehouseCode: me.warehouses[0]?.code ?? '',
  })
  const [file, setFile] = useState<File>()
  const [start, setStart] = useState<FileStart>()
  const [mapping, setMapping] = useState<ColumnMapping>({})
  const [step, setStep] = useState<'checking' | 'uploading'>()
  const [found, setFound] = useState<Found>({ reasons: [] })
  /** Whatever is changed, what was found before counts no longer, and columns are guessed again. */
  const change = (part: Partial<typeof about>) => {
    const next = { ...about, ...part }
    setAbout(next)
    setFound({ reasons: [] })
    if (start !== undefined) setMapping(guessColumns(start.heads, next.type, uploads?.[next.clientCode]))
  }
  const post = async (dryRun: boolean) => {
    if (file === undefined) return
    setStep(dryRun ? 'checking' : 'uploading')
    setFound(await postFile(file, { ...about, mapping, dryRun }))
    setStep(undefined)
  }
  return {
    ...{ ...about, ...found, start, mapping, step },
    setType: (type: number) => change({ type }),
    setClient: (clientCode: string) => change({ clientCode }),
    setWarehouse: (warehouseCode: string) => change({ warehouseCode }),
    async choose(chosen: File | undefined) {
      const begin = chosen && (await startOf(chosen))
      setFile(chosen)
      setStart(begin)
      setFound({ reasons: [] })
      setMapping(guessColumns(begin?.heads ?? [], about.type, uploads?.[about.clientCode]))
    },
    setMapping: (next: ColumnMapping) => {
      setMapping(next)
      setFound({ reasons: [] })
    },
    check: () => post(true),
    upload: () => post(false),
  }
}

/** What the service said about the file. */
interface Found {
  reasons: readonly string[]
  checked?: readonly UploadedOrder[]
  uploaded?: readonly UploadedOrder[]
}

interface Sent {
  type: number
  clientCode: string
  warehouseCode: string
  mapping: ColumnMapping
  dryRun: boolean
}

async function postFile(file: File, sent: Sent): Promise<Found> {
  const { type, clientCode, warehouseCode, mapping, dryRun } = sent
  try {
    const { data } = await send('post', '/v1/consignment-imports/csv', {
      body: {
        ...{ consignmentType: type as never, clientCode, warehouseCode: warehouseCode || null },
        ...{ mapping: mapping as Record<string, never>, dryRun, skipFaulty: true },
        file: { fileName: file.name, contentType: 'text/csv', content: await base64Of(file) },
      },
    })
    if (dryRun) return { reasons: [], checked: data.imports }
    notify({ text: words.uploadedNotice(data.imports.filter(({ result }) => result === accepted).length) })
    await Promise.all([readAgain('/v1/consignment-imports', '/v1/consignments'), keep(clientCode, mapping)])
    return { reasons: [], uploaded: data.imports }
  } catch (error) {
    return { reasons: reasonsOf(error) }
  }
}

/** The columns of so many clients are kept. */
const maxClients = 10

/** Keeps what the columns of a client mean. What was uploaded is so whether that succeeds or not. */
const keep = (clientCode: string, mapping: ColumnMapping): Promise<void> =>
  changePreferences(before => {
    const others = Object.entries(before.uploads ?? {}).filter(([code]) => code !== clientCode)
    const kept = [...others.slice(1 - maxClients), [clientCode, keptColumns(mapping)] as const]
    return { ...before, uploads: Object.fromEntries(kept) }
  }).catch(() => undefined)
