/** Why a page that was delivered is no evidence. */
export type NotContent = "challenge" | "login" | "missing" | "script_only" | "data" | "empty";

export interface PageText {
  title: string;
  /** The readable text, without markup. */
  text: string;
  html: string;
}

/** Pages with less readable text than this (in characters, white space collapsed) say nothing that could be cited. */
const leastText = 200;
/** A page with more text than this is about its subject, even if it speaks of captchas or errors. */
const mostOfNotice = 1_500;

const challengeTitle =
  /^(?:just a moment|attention required|access denied|access to this page has been denied|ddos-guard|one moment, please|checking your browser|security check|verif(?:y|ying) (?:you are|that you|your)|are you (?:a )?(?:human|robot)|robot check|pardon our interruption|human verification|bot (?:check|verification)|captcha|请稍候|请稍等)/i;
const challengeText =
  /(?:checking (?:if the site connection is secure|your browser before)|verif(?:y|ying) (?:that )?you are (?:a )?human|you are not a (?:ro)?bot|enable javascript and cookies to continue|needs to review the security of your connection|complete the (?:security check|captcha)|solve (?:the|this) captcha|unusual traffic from your|performance (?:&|and) security by cloudflare|cloudflare ray id|ddos protection by|has been blocked by (?:network )?security|press (?:&|and) hold to confirm|you have been blocked|why have i been blocked)/i;
const challengeMarkup =
  /(?:cf-chl-|\/cdn-cgi\/challenge-platform\/|cf_chl_opt|g-recaptcha|h-captcha|hcaptcha\.com\/1|px-captcha|captcha-delivery\.com|geo\.captcha|_incapsula_resource|awswafintegration|challenges\.cloudflare\.com)/i;

const loginTitle =
  /^(?:(?:please )?(?:log|sign)[ -]?in\b|login\b|anmelden\b|connexion\b|iniciar sesi[oó]n|authentication required)/i;
const loginText =
  /(?:(?:log|sign) ?in (?:or (?:sign up|register|create)|to (?:continue|view|read|access|see))|you must be (?:logged|signed) in|please (?:log|sign) in|subscribe to (?:continue|keep) reading|already a (?:subscriber|member)\?|before you continue to)/i;
const passwordField = /<input\b[^<>]*\btype\s*=\s*["']?password/i;

const missingTitle =
  /^(?:(?:http )?(?:error )?(?:404|410)\b|(?:error|oops)\W{0,3}\s*(?:404|page not found)|(?:the )?page (?:was )?not found|not found|page (?:does not|doesn[’']t) exist|file not found|seite nicht gefunden|page introuvable|页面不存在)|(?:^|[\s|–—:-])(?:404|page not found)\s*$/i;
const missingText =
  /(?:(?:the )?(?:page|url|document|article) (?:you (?:requested|are looking for|were looking for|[’']re looking for)|requested)?\s*(?:could ?n[o’']t be found|cannot be found|can[’']t be found|was not found|does ?n[o’']t exist|no longer exists|has been (?:moved or )?(?:removed|deleted))|404 (?:error|not found|page)|error 404)/i;

const scriptText =
  /(?:(?:you need to|please) enable javascript|(?:requires|needs) javascript|javascript (?:is (?:required|disabled)|must be enabled|to run this app))/i;

/** The answer of an interface, most often an error, that is sent as a page. */
function isJson(text: string): boolean {
  if (!/^(?:\{.*\}|\[.*\])$/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Tells pages of content from what servers send in their place with status 200: bot checks, login walls, "not
 * found" pages, empty shells of script applications. Long texts are content whatever words they hold.
 */
export function notContent({ title, text, html }: PageText): NotContent | null {
  const name = title.trim();
  const flat = text.replace(/\s+/g, " ").trim();
  if (flat.length <= mostOfNotice) {
    if (challengeTitle.test(name) || challengeText.test(flat)) return "challenge";
    if (missingTitle.test(name) || (flat.length < 600 && missingText.test(flat))) return "missing";
    if (loginTitle.test(name)) return "login";
    if (flat.length < 600 && (loginText.test(flat) || passwordField.test(html))) return "login";
  }
  if (isJson(flat)) return "data";
  if (flat.length < 600 && challengeMarkup.test(html)) return "challenge";
  if (flat.length < 600 && scriptText.test(flat)) return "script_only";
  return flat.length < leastText ? "empty" : null;
}
