/** Abbreviations (lower case, without the final full stop) after which a sentence goes on whatever follows. */
export const inner: ReadonlySet<string> = new Set(
  `mr mrs ms dr prof st gen col lt sgt rev hon sen rep gov capt cmdr e.g i.e eg ie cf vs viz ca approx fig figs eq
  eqs sec secs ch chap vol vols no nos pp para app ref refs tab resp art dept est incl excl max min avg ed eds trans
  ver`.split(/\s+/),
);

/** Units that look like abbreviations of `inner`: after a number they are none. */
export const units: ReadonlySet<string> = new Set("ms sec secs min".split(" "));

/** Abbreviations that stand within sentences and at their end: the word that follows decides. */
export const either: ReadonlySet<string> = new Set(
  `etc al inc ltd co corp jr sr bros llc plc gmbh ag u.s u.k u.n e.u a.m p.m ph.d m.sc b.sc jan feb mar apr jun jul
  aug sep sept oct nov dec mon tue wed thu fri sat sun`.split(/\s+/),
);

/** Words that, capitalised after an abbreviation or an initial, open a new sentence and are no name. */
export const openers: ReadonlySet<string> = new Set(
  `The A An This That These Those It Its He She They We You I In On At By For From To With Without If When While
  Where What Which Who Why How But And Or So Then Thus Hence However Therefore Although Because Since After Before
  During Each Every All Some Many Most Both One Two There Here Our Your Their His Her As Of Use Using See Note Let
  Once Until Unlike Instead Also Finally First Second Next`.split(/\s+/),
);
