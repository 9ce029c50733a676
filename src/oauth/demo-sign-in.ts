// Signing in to the demo by the press of a button, without a password: only at the machine on which
// `./waybill demo` runs, because everybody who can press it can be anybody.

/** A person of the demo. */
export interface DemoSignIn {
  readonly key: string
  readonly fullName: string
  /** who the person is, as the button says it */
  readonly text: string
  readonly email: string
}

const person = (key: string, fullName: string, text: string): DemoSignIn => ({
  ...{ key, fullName, text },
  email: `${key}@example.com`,
})

/** Whom the sign-in page of the demo offers. */
export const demoSignIns: readonly DemoSignIn[] = [
  person('pia', 'Pia Hartley', 'Pia, who plans'),
  person('sol', 'Sol Ngata', 'Sol, who keeps stock'),
  person('bela', 'Bela Kovács', 'Bela, who bills'),
  person('ada', 'Ada Whitcombe', 'Ada, who administers'),
  person('ivo', 'Ivo Marek', 'Ivo, who integrates'),
  person('rae', 'Rae Lindqvist', 'Rae, who reads'),
  person('kim', 'Kim Tran', 'Kim of Kauri Foods'),
  person('tane', 'Tane Rewi', 'Tane of Swift Freight'),
]
