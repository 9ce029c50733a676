// Commands in printer language that change a printer instead of a label: sent once, they would change every
// later label. Pure.

// Of the commands of ZPL, those that calibrate, reset or configure (J), set the clock's form, the name or the
// password (K), the network (N), the wireless card (W), or sensors, clock, serial port and language (S); and
// those that change the characters with which commands begin (C), because none would be found after them.
const zplSetUp = /[\^~](?:[JKN][A-Z]|S[CIQRSTXZ]|W[AEILPRSX]|C[CDT])/gi
// The other languages in which the same printers are configured: Set-Get-Do, and its form in JSON.
const otherSetUp = /! ?U1?\b|\{\}\s*\{/gi

/** The set-up commands in a text of ZPL, each once: `^JU`, `~JR`, `! U1`. */
export function setUpCommandsIn(zpl: string): string[] {
  // Printers skip control characters within a command.
  const commands = zpl.replace(/\p{Cc}/gu, '')
  const found = [...commands.matchAll(zplSetUp), ...zpl.matchAll(otherSetUp)]
  return [...new Set(found.map(([command]) => command.toUpperCase()))]
}

/** Begins and ends a job in printer language, even after the end of a PDF. */
const universalExit = Buffer.from('\x1b%-12345X')

/** Whether bytes contain the sequence with which a printer leaves the language of the document. */
export const hasUniversalExit = (bytes: Buffer): boolean => bytes.includes(universalExit)
