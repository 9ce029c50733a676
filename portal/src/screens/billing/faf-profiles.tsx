// The tab FAF profiles of Billing set-up: what freight is raised by, for each carrier and from when. The
// address names the profile whose rates are shown.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SetUpStatus } from '../../../../client/src/waybill.ts'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { fromField, now, toField } from '../../../../ui/time.ts'
import { entityTagOf, type RowOf, send } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { Link, useSearch } from '../../router.tsx'
import { useCarriers } from '../../suggestions.ts'
import { setUpWords as words } from '../../words/set-up.ts'
import { mayChangeMoney } from '../schedules/schedule-paths.ts'
import { SetUpDialog, StatusField } from './set-up-dialog.tsx'
import { SetUpTable } from './set-up-table.tsx'

const path = '/v1/faf-profiles'
const ofProfile = '/v1/faf-profiles/{fafProfileId}/rates'
type Profile = RowOf<typeof path>
type Rate = RowOf<typeof ofProfile>

export function FafProfiles() {
  const mayAct = mayChangeMoney(useMe())
  const { Profile: shown } = useSearch()
  const [open, setOpen] = useState<string>()
  const { data, isError } = useQuery(readAll(path, { query: { PageIndex: 0 } }))
  const profiles = data?.fafProfiles
  const chosen = profiles?.find(({ id }) => id === shown) ?? profiles?.[0]
  const close = () => setOpen(undefined)
  const opened = profiles?.find(({ id }) => id === open)
  return (
    <>
      <SetUpTable
        heading={words.fafProfiles}
        newText={words.newProfile}
        heads={[words.name, words.status].map(text => ({ text }))}
        rows={(profiles ?? []).map(({ id, name, status }) => ({
          id,
          name,
          cells: [
            <Link
              key="name"
              to="."
              search={{ Tab: 'faf-profiles', Profile: id } as never}
              aria-current={id === chosen?.id}
            >
              {name}
            </Link>,
            words.statusOf(status),
          ],
        }))}
        state={regionStateOf(isError, profiles)}
        emptyText={words.noProfiles}
        onNew={() => setOpen('')}
        onEdit={setOpen}
        mayAct={mayAct}
      />
      {chosen !== undefined && <Rates key={chosen.id} profile={chosen} mayAct={mayAct} />}
      {open === '' && <ProfileDialog onClose={close} />}
      {opened !== undefined && <ProfileDialog profile={opened} onClose={close} />}
    </>
  )
}

function ProfileDialog({ profile, onClose }: { profile?: Profile; onClose: () => void }) {
  const [name, setName] = useState(profile?.name ?? '')
  const [status, setStatus] = useState<1 | 2>(profile?.status ?? SetUpStatus.Active)
  const body = { name: name.trim(), status }
  return (
    <SetUpDialog
      act={profile === undefined ? words.newProfile : words.saveProfile}
      isComplete={body.name !== ''}
      changes={path}
      onClose={onClose}
      save={() =>
        profile === undefined
          ? send('post', path, { body })
          : send('put', '/v1/faf-profiles/{fafProfileId}', { path: { fafProfileId: profile.id }, body })
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
          {profile !== undefined && <StatusField value={status} onChange={setStatus} />}
        </>
      )}
    </SetUpDialog>
  )
}

/** The rates of a profile: the default first, then by carrier, the latest first. */
function Rates({ profile, mayAct }: { profile: Profile; mayAct: boolean }) {
  const [open, setOpen] = useState<string>()
  const params = { path: { fafProfileId: profile.id }, query: { PageIndex: 0 } }
  const { data, isError } = useQuery(readAll(ofProfile, params))
  const close = () => setOpen(undefined)
  const opened = data?.fafProfileRates.find(({ id }) => id === open)
  const nameOf = ({ carrier }: Rate) => carrier?.name ?? words.allCarriers
  return (
    <>
      <SetUpTable
        heading={words.ratesOf(profile.name)}
        newText={words.newRate}
        heads={[
          { text: words.carrier },
          { text: words.percent, isAtEnd: true },
          { text: words.effectiveFrom, isAtEnd: true },
          { text: words.status },
        ]}
        rows={(data?.fafProfileRates ?? []).map(rate => ({
          id: rate.id,
          name: words.rateOf(nameOf(rate), words.percentOf(rate.fafPercent)),
          cells: [
            nameOf(rate),
            words.percentOf(rate.fafPercent),
            <UtcTime key="from" value={rate.effectiveFromUtc} />,
            rate.isExpired ? words.expired : words.inEffect,
          ],
        }))}
        state={regionStateOf(isError, data?.fafProfileRates)}
        emptyText={words.noRates}
        onNew={() => setOpen('')}
        onEdit={setOpen}
        mayAct={mayAct}
      />
      {open === '' && <RateDialog fafProfileId={profile.id} onClose={close} />}
      {opened !== undefined && <RateDialog fafProfileId={profile.id} rate={opened} onClose={close} />}
    </>
  )
}

/** A fraction of the API as people type percentages, and back; neither has more than six places. */
const percentOf = (fraction: number): string => String(Number((fraction * 100).toFixed(4)))
const fractionOf = (percent: string): number => Number((Number(percent) / 100).toFixed(6))

interface RateDialogProps {
  fafProfileId: string
  rate?: Rate
  onClose: () => void
}

function RateDialog({ fafProfileId, rate, onClose }: RateDialogProps) {
  const carriers = useCarriers(useMe()).map(({ id, name }) => ({ value: id, text: name }))
  const [typed, setTyped] = useState({
    percent: rate === undefined ? '' : percentOf(rate.fafPercent),
    ...{ carrier: rate?.carrier?.id ?? '', from: toField(rate?.effectiveFromUtc ?? now()) },
  })
  const from = fromField(typed.from)
  const field = (name: keyof typeof typed) => ({
    value: typed[name],
    onChange: (value: string) => setTyped({ ...typed, [name]: value }),
  })
  const body = {
    ...{ fafPercent: fractionOf(typed.percent), effectiveFromUtc: from ?? '' },
    carrierId: typed.carrier || null,
  }
  return (
    <SetUpDialog
      act={rate === undefined ? words.newRate : words.saveRate}
      isComplete={typed.percent.trim() !== '' && from !== undefined}
      changes={path}
      onClose={onClose}
      save={() =>
        rate === undefined
          ? send('post', ofProfile, { path: { fafProfileId }, body })
          : send('put', '/v1/faf-profiles/{fafProfileId}/rates/{fafProfileRateId}', {
              path: { fafProfileId, fafProfileRateId: rate.id },
              body,
              ifMatch: entityTagOf(rate),
            })
      }
    >
      {faults => (
        <>
          <SelectField
            label={words.carrier}
            options={[{ value: '', text: words.allCarriers }, ...carriers]}
            fault={faults.at('carrierId')}
            {...field('carrier')}
          />
          <TextField
            label={words.percent}
            help={words.percentHelp}
            type="number"
            fault={faults.at('fafPercent')}
            isRequired
            {...field('percent')}
          />
          <TextField
            label={words.effectiveFrom}
            type="datetime-local"
            fault={faults.at('effectiveFromUtc')}
            isRequired
            {...field('from')}
          />
        </>
      )}
    </SetUpDialog>
  )
}
