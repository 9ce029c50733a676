// The tab Localities of Billing set-up: named areas by which freight is priced, and which of them an address
// is in.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { entityTagOf, type Got, read, send } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { setUpWords as words } from '../../words/set-up.ts'
import { mayChangeMoney } from '../schedules/schedule-paths.ts'
import { areaInWords, areaOf, type TypedArea, typedAreaOf } from './area.ts'
import { AreaFields } from './area-fields.tsx'
import { SetUpDialog, StatusField } from './set-up-dialog.tsx'
import { SetUpTable } from './set-up-table.tsx'

const path = '/v1/localities'
type Locality = Got<'/v1/localities/{id}'>

export function Localities() {
  const mayAct = mayChangeMoney(useMe())
  const [isInactive, setInactive] = useState(false)
  const [open, setOpen] = useState<string>()
  const { data, isError } = useQuery(readAll(path, { query: { Status: isInactive ? 2 : 1 } }))
  const close = () => setOpen(undefined)
  return (
    <>
      <SetUpTable
        heading={words.localities}
        newText={words.newLocality}
        heads={[words.name, words.code, words.areas].map(text => ({ text }))}
        rows={(data?.localities ?? []).map(({ id, name, code, areas }) => ({
          id,
          name,
          cells: [<b key="name">{name}</b>, code ?? words.nothing, areas.map(areaInWords).join('; ')],
        }))}
        state={regionStateOf(isError, data?.localities)}
        emptyText={words.noLocalities}
        inactive={{ isShown: isInactive, onChange: setInactive }}
        acts={
          <Button kind="quiet" onPress={() => setOpen('find')}>
            {words.find}
          </Button>
        }
        onNew={() => setOpen('')}
        onEdit={setOpen}
        mayAct={mayAct}
      />
      {open === '' && <LocalityDialog onClose={close} />}
      {open === 'find' && <FindDialog onClose={close} />}
      {open !== undefined && open !== '' && open !== 'find' && <OpenedLocality id={open} onClose={close} />}
    </>
  )
}

/** The dialog of a locality, once it is read. */
function OpenedLocality({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useQuery(read('/v1/localities/{id}', { path: { id } }))
  return data === undefined ? null : <LocalityDialog locality={data} onClose={onClose} />
}

function LocalityDialog({ locality, onClose }: { locality?: Locality; onClose: () => void }) {
  const [opened] = useState(locality)
  const [name, setName] = useState(locality?.name ?? '')
  const [code, setCode] = useState(locality?.code ?? '')
  const [status, setStatus] = useState<1 | 2>(locality?.status ?? 1)
  const [areas, setAreas] = useState<readonly TypedArea[]>(
    (locality?.areas ?? [{ country: 'NZ' }]).map(typedAreaOf),
  )
  const body = { name: name.trim(), code: code.trim() || null, status, areas: areas.map(areaOf) }
  return (
    <SetUpDialog
      act={opened === undefined ? words.newLocality : words.saveLocality}
      isComplete={body.name !== '' && areas.length > 0}
      changes={path}
      onClose={onClose}
      save={() =>
        opened === undefined
          ? send('post', path, { body })
          : send('put', '/v1/localities/{id}', {
              path: { id: opened.id },
              body,
              ifMatch: entityTagOf(opened),
            })
      }
    >
      {faults => (
        <>
          <TextField
            label={words.name}
            value={name}
            onChange={setName}
            fault={faults.at('name')}
            isRequired
            autoFocus
          />
          <TextField label={words.code} value={code} onChange={setCode} fault={faults.at('code')} />
          <AreaFields areas={areas} onChange={setAreas} />
          {opened !== undefined && <StatusField value={status} onChange={setStatus} />}
        </>
      )}
    </SetUpDialog>
  )
}

const addressParts = ['streetAddress', 'suburb', 'city', 'state', 'postCode', 'country'] as const

/** Tells which localities an address is in. */
function FindDialog({ onClose }: { onClose: () => void }) {
  const [address, setAddress] = useState<Partial<Record<(typeof addressParts)[number], string>>>({})
  const [found, setFound] = useState<readonly { id: string; name: string }[]>()
  const [reasons, setReasons] = useState<readonly string[]>([])
  async function find(): Promise<void> {
    try {
      setReasons([])
      setFound((await send('post', '/v1/localities/find', { body: { address } })).data.localities)
    } catch (error) {
      setReasons(reasonsOf(error))
    }
  }
  return (
    <Dialog
      title={words.find}
      onClose={onClose}
      state="ready"
      acts={
        <>
          <Button kind="main" onPress={() => void find()}>
            {words.find}
          </Button>
          <Button kind="quiet" onPress={onClose}>
            {uiWords.close}
          </Button>
        </>
      }
    >
      {addressParts.map(part => (
        <TextField
          key={part}
          label={words.addressPart[part]}
          value={address[part] ?? ''}
          onChange={value => setAddress({ ...address, [part]: value })}
        />
      ))}
      <Refusal reasons={reasons} />
      {found !== undefined && (
        <p role="status">{found.length === 0 ? words.inNone : words.isIn(found.map(({ name }) => name))}</p>
      )}
    </Dialog>
  )
}
