// Region Inputs of a proof: each value with what it comes from, and a link to it where there is a screen.

import { SmallTable } from '../../../../ui/Region.tsx'
import { canOpen } from '../../frame/menu.ts'
import { type Me, useMe } from '../../me.ts'
import { Link } from '../../router.tsx'
import { useCarriers } from '../../suggestions.ts'
import { scheduleWords as words } from '../../words/schedules.ts'
import { type Proof, ProofPart, type Subject } from './proof.tsx'

type Input = Proof['inputs'][number]

interface InputsProps {
  proof: Proof
  subject: Subject
}

export function Inputs({ proof: { inputs }, subject }: InputsProps) {
  const me = useMe()
  const carriers = useCarriers(me)
  // A name of nothing is told by its absence; a carrier that is not known here by its id.
  const shown = inputs.filter(({ value }) => value !== '')
  const shownValue = ({ name, value, unit }: Input) =>
    name === 'carrierId'
      ? (carriers.find(({ id }) => id === value)?.name ?? value)
      : words.inputValue(name, value, unit)
  if (shown.length === 0) return null
  return (
    <ProofPart heading={words.inputs}>
      <SmallTable
        label={words.inputs}
        heads={[{ text: words.input }, { text: words.value, isAtEnd: true }, { text: words.source }]}
        rows={shown.map((input, i) => ({
          id: `${i} ${input.name}`,
          cells: [
            words.inputName(input.name),
            shownValue(input),
            <Source key="source" input={input} to={addressOf(me, input, inputs, subject)} />,
          ],
        }))}
      />
    </ProofPart>
  )
}

/** Where the source of an input is shown; undefined if the person has no such screen. */
function addressOf(
  me: Me,
  { name, source }: Input,
  inputs: readonly Input[],
  { consignmentId, partnerId }: Subject,
): string | undefined {
  const address =
    source?.kind === 'event'
      ? consignmentId && `/consignments/${consignmentId}`
      : /^credit/.test(name) && source?.id
        ? `/charges/${source.id}`
        : name === 'fafPercent'
          ? '/billing/set-up'
          : isOfBackTest(name) && source?.id
            ? `/back-tests/${source.id}`
            : partnerId && addressOfMinimum(name, inputs, partnerId)
  return address && canOpen(me, address.replace(/\?.*/, '')) ? address : undefined
}

const isOfBackTest = (name: string): boolean => name === 'beforeExclTax' || name === 'afterExclTax'

/** Where one sees what a minimum spend follows from: cards of the client, and its charges of the period. */
function addressOfMinimum(name: string, inputs: readonly Input[], partnerId: string): string | undefined {
  if (name === 'minimumSpendPerPeriod') return `/rate-cards?PartnerId=${partnerId}`
  if (name !== 'spentExclTax') return undefined
  const dayOf = (wanted: string) => inputs.find(one => one.name === wanted)?.value ?? ''
  const period = `DateFrom=${dayOf('periodFrom')}&DateTo=${dayOf('periodTo')}`
  return `/charges?view=on-bills&PartnerId=${partnerId}&${period}`
}

const isKnown = (name: string): name is keyof typeof words.recordOf => name in words.recordOf

/** What an input comes from, with who did it and when. */
function Source({ input: { name, source }, to }: { input: Input; to: string | undefined }) {
  if (source === null) return words.nothing
  const { kind, type, by, atUtc } = source
  const what =
    kind === 'event' && type !== null
      ? words.event(type)
      : kind === 'record' && isKnown(name)
        ? words.recordOf[name]
        : words.sourceKind[kind]
  const text = words.sourceOf(what, by, atUtc)
  return to === undefined ? text : <Link to={to}>{text}</Link>
}
