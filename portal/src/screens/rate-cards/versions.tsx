// Region Versions: the versions of a rate card, the newest first, and which is in force.

import { RateCardVersionStatus } from '../../../../client/src/waybill.ts'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { todayIn } from '../../../../ui/time.ts'
import { useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { rateCardWords as words } from '../../words/rate-cards.ts'
import type { Card, Version } from './card.tsx'

/** Whether a version is a draft, in force, will be or has been. */
export function VersionPill({
  version: { id, status, effectiveFrom },
  current,
}: {
  version: Pick<Version, 'id' | 'status' | 'effectiveFrom'>
  current: Card['current']
}) {
  const today = todayIn(useMe().organisation.timezoneId)
  if (status === RateCardVersionStatus.Draft)
    return <Pill text={words.versionStatus(status)} tone="waits" isRing />
  if (id === current?.id) return <Pill text={words.isInForce} tone="done" />
  if (effectiveFrom > today) return <Pill text={words.isLater} tone="moving" />
  return <Pill text={words.isPast} tone="waits" />
}

export function Versions({
  card,
  versions,
  isError,
}: {
  card: Card
  versions: readonly Version[] | undefined
  isError: boolean
}) {
  const state = regionStateOf(isError, versions)
  return (
    <Region heading={words.versions} state={state} summary={versions?.length || undefined}>
      {state === 'empty' ? (
        <Nothing text={words.noVersions} />
      ) : (
        <SmallTable
          label={words.versions}
          heads={[
            words.headVersion,
            words.headStatus,
            words.effectiveFrom,
            words.until,
            words.note,
            words.approvedBy,
          ].map(text => ({ text }))}
          rows={(versions ?? []).map(version => ({
            id: version.id,
            cells: [
              <Link key="version" to={`/rate-cards/${card.id}/versions/${version.id}`}>
                {words.version(version.number)}
              </Link>,
              <VersionPill key="status" version={version} current={card.current} />,
              <LocalDay key="from" value={version.effectiveFrom} />,
              version.supersededFrom === null ? words.nothing : words.untilDay(version.supersededFrom),
              version.note ?? words.nothing,
              version.approvedBy ?? words.nothing,
            ],
          }))}
        />
      )}
    </Region>
  )
}
