// Codes that a client sends, and what they mean.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { read, send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { hasScope, useMe } from '../../me.ts'
import { readAgain, regionStateOf } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { partnerWords as words } from '../../words/partners.ts'

const path = '/v1/partners/{partnerId}/code-aliases'

export function CodeAliases({ partnerId }: { partnerId: string }) {
  const mayChange = hasScope(useMe(), 'consignment')
  const [isMaking, setMaking] = useState(false)
  const { data, isError } = useQuery(read(path, { path: { partnerId } }))
  const state = regionStateOf(isError, data?.codeAliases)
  async function remove(codeAliasId: string, code: string): Promise<void> {
    try {
      await send('delete', '/v1/partners/{partnerId}/code-aliases/{codeAliasId}', {
        path: { partnerId, codeAliasId },
      })
      notify({ text: words.aliasRemoved(code) })
    } catch (error) {
      notify({ text: reasonsOf(error).join(' '), isAlert: true })
    }
    await readAgain(path)
  }
  return (
    <Region
      heading={words.codeAliases}
      state={state}
      acts={mayChange && <Button onPress={() => setMaking(true)}>{words.newAlias}</Button>}
    >
      {state === 'empty' ? (
        <Nothing text={words.noAliases} />
      ) : (
        <SmallTable
          label={words.codeAliases}
          heads={[
            ...[words.aliasKind, words.aliasCode, words.replacement, words.by].map(text => ({ text })),
            { text: words.acts, isAtEnd: true },
          ]}
          rows={(data?.codeAliases ?? []).map(({ id, kind, code, replacement, userFullName }) => ({
            id,
            cells: [
              words.aliasKinds[kind],
              code,
              replacement,
              userFullName ?? words.nothing,
              mayChange && (
                <Button
                  key="remove"
                  kind="quiet"
                  label={words.removeAlias(code)}
                  onPress={() => void remove(id, code)}
                >
                  {words.remove}
                </Button>
              ),
            ],
          }))}
        />
      )}
      {isMaking && <NewAlias partnerId={partnerId} onClose={() => setMaking(false)} />}
    </Region>
  )
}

type Kind = keyof typeof words.aliasKinds

function NewAlias({ partnerId, onClose }: { partnerId: string; onClose: () => void }) {
  const [kind, setKind] = useState<Kind>('product')
  const [code, setCode] = useState('')
  const [replacement, setReplacement] = useState('')
  const [faults, setFaults] = useState(faultsOf(undefined))
  return (
    <Confirm
      act={words.newAlias}
      onClose={onClose}
      isDisabled={code.trim() === '' || replacement.trim() === ''}
      onConfirm={async () => {
        const body = { kind, code: code.trim(), replacement: replacement.trim() }
        await send('post', path, { path: { partnerId }, body })
        notify({ text: words.aliasMade(body.code) })
        await readAgain(path, '/v1/consignment-imports')
      }}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.all
      }}
    >
      <SelectField
        label={words.aliasKind}
        value={kind}
        onChange={value => setKind(value as Kind)}
        options={Object.entries(words.aliasKinds).map(([value, text]) => ({ value, text }))}
      />
      <TextField
        label={words.aliasCode}
        value={code}
        onChange={setCode}
        fault={faults.at('code')}
        isRequired
      />
      <TextField
        label={words.replacement}
        value={replacement}
        onChange={setReplacement}
        fault={faults.at('replacement')}
        isRequired
      />
    </Confirm>
  )
}
