// The fields of a person.

import { roleOptions } from '../../lists/people.tsx'
import { useMe } from '../../me.ts'
import type { RecordField } from '../../record-fields.ts'
import { useAllPartnerOptions } from '../../suggestions.ts'
import { peopleWords as words } from '../../words/people.ts'

export const roleField: RecordField = {
  path: 'role',
  label: words.role,
  help: words.roleHelp,
  options: roleOptions,
  isRequired: true,
}

/** Who they are, and for whom they work. */
export function usePersonFields(): readonly RecordField[] {
  const partners = useAllPartnerOptions(useMe())
  return [
    { path: 'email', label: words.email, kind: 'email', isRequired: true, maxLength: 254 },
    { path: 'fullName', label: words.name, isRequired: true, maxLength: 200 },
    roleField,
    {
      path: 'partnerId',
      label: words.partner,
      help: words.partnerHelp,
      options: [{ value: '', text: words.own }, ...partners],
    },
  ]
}
