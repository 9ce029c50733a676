// The dialog that makes an app.

import { useState } from 'react'
import { GrantType } from '../../../../client/src/waybill.ts'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { hasScope, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { developerWords as words } from '../../words/developers.ts'
import styles from './developers.module.css'

type Scope = keyof typeof words.scopeInWords
const scopes = Object.keys(words.scopeInWords) as Scope[]

const grantOptions = [GrantType.ClientCredentials, GrantType.AuthorisationCode].map(type => ({
  value: String(type),
  text: words.grant(type),
}))

export function NewApp({ onClose, onCreated }: { onClose: () => void; onCreated: (secret: string) => void }) {
  const [name, setName] = useState('')
  const [grant, setGrant] = useState(String(GrantType.ClientCredentials))
  const [chosen, setChosen] = useState<readonly Scope[]>([])
  const [uris, setUris] = useState('')
  const [faults, setFaults] = useState(faultsOf(undefined))
  const isForPeople = grant === String(GrantType.AuthorisationCode)
  async function create(): Promise<void> {
    const redirectUris = isForPeople ? uris.split('\n').flatMap(line => line.trim() || []) : []
    const grantType = Number(grant) as GrantType
    const { data } = await send('post', '/v1/custom-apps', {
      body: { name, grantType, scopes: [...chosen], redirectUris },
    })
    onCreated(data.clientSecret)
    await readAgain('/v1/custom-apps')
  }
  return (
    <Confirm
      act={words.newApp}
      onClose={onClose}
      isDisabled={name.trim() === '' || chosen.length === 0}
      onConfirm={create}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.all
      }}
    >
      <TextField
        autoFocus
        label={words.name}
        value={name}
        onChange={setName}
        fault={faults.at('name')}
        maxLength={200}
      />
      <SelectField
        label={words.grantField}
        help={words.grantHelp}
        value={grant}
        onChange={setGrant}
        options={grantOptions}
      />
      <ScopeChoice chosen={chosen} onChange={setChosen} />
      {isForPeople && (
        <TextField
          label={words.redirectUris}
          help={words.redirectUrisHelp}
          isMultiline
          value={uris}
          onChange={setUris}
          fault={faults.at('redirectUris') ?? faults.at('redirectUris[0]')}
        />
      )}
    </Confirm>
  )
}

/** Nobody gives an app what they do not have. */
function ScopeChoice({
  chosen,
  onChange,
}: {
  chosen: readonly Scope[]
  onChange: (scopes: readonly Scope[]) => void
}) {
  const me = useMe()
  return (
    <fieldset className={styles.scopes}>
      <legend>{words.scopes}</legend>
      {scopes
        .filter(scope => hasScope(me, scope))
        .map(scope => (
          <label key={scope} className={styles.check}>
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              onChange={({ target: { checked } }) =>
                onChange(checked ? [...chosen, scope] : chosen.filter(one => one !== scope))
              }
            />
            {words.scopeInWords[scope]}
          </label>
        ))}
    </fieldset>
  )
}
