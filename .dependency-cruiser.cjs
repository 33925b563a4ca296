/** Which shared packages each shared package may import; everything not listed is forbidden. */
const sharedMayImport = {
  contracts: [],
  access: ["contracts"],
  config: [],
  telemetry: ["config"],
  artifacts: ["contracts", "telemetry"],
  markdown: ["contracts", "telemetry"],
  evidence: ["contracts", "artifacts", "markdown"],
  models: ["contracts", "telemetry", "artifacts"],
  queue: ["contracts", "telemetry"],
  runtime: ["queue", "artifacts", "telemetry", "contracts"],
  hosting: ["config", "contracts", "telemetry", "artifacts", "queue", "runtime", "models"],
  testing: ["artifacts", "contracts", "models", "queue", "runtime", "telemetry"],
};

const TEST_FILE = "\\.test\\.ts$";
/** Folders of what tests of one package share. */
const TEST_FOLDER = "/src/testing/";
const TESTING_PACKAGE = "^shared/testing/";
const PUBLIC_INDEX = "^(?:shared|services)/[^/]+/src/(?:index|records|program)\\.ts$";

/** Matches packages by name, whether they resolve into node_modules or are not installed at all. */
function packages(...names) {
  return names.flatMap((name) => [`node_modules/${name}`, `^${name}`]);
}

const layers = Object.entries(sharedMayImport).map(([name, others]) => ({
  name: `layer-${name}`,
  comment: `shared/${name} may import ${others.length > 0 ? others.map((other) => `shared/${other}`).join(", ") : "nothing of ours"}.`,
  severity: "error",
  from: { path: `^shared/${name}/` },
  to: { path: "^shared/", pathNot: [`^shared/(?:${[name, ...others].join("|")})/`, TESTING_PACKAGE] },
}));

module.exports = {
  forbidden: [
    ...layers,
    {
      name: "layer-unknown",
      comment: "A new shared package needs a line in sharedMayImport before it imports anything of ours.",
      severity: "error",
      from: { path: `^shared/(?!(?:${Object.keys(sharedMayImport).join("|")})/)` },
      to: { path: "^(?:shared|services)/" },
    },
    {
      name: "shared-not-to-services",
      comment: "shared/ never imports a service.",
      severity: "error",
      from: { path: "^shared/" },
      to: { path: "^services/" },
    },
    {
      name: "services-apart",
      comment: "Services never import each other; only services/cli composes them.",
      severity: "error",
      from: { path: "^services/([^/]+)/", pathNot: "^services/cli/" },
      to: { path: "^services/", pathNot: "^services/$1/" },
    },
    {
      name: "public-index-only",
      comment: "Another package is imported through its public index only.",
      severity: "error",
      from: { path: "^(shared|services)/([^/]+)/" },
      to: { path: "^(?:shared|services)/", pathNot: ["^$1/$2/", PUBLIC_INDEX] },
    },
    {
      name: "testing-only-in-tests",
      comment: "shared/testing is for tests.",
      severity: "error",
      from: { pathNot: [TEST_FILE, TEST_FOLDER, TESTING_PACKAGE, "^scripts/"] },
      to: { path: TESTING_PACKAGE },
    },
    {
      name: "tests-not-imported",
      comment: "Test files are not imported.",
      severity: "error",
      from: {},
      to: { path: TEST_FILE },
    },
    {
      name: "test-folders-only-in-tests",
      comment: "What tests share is for tests.",
      severity: "error",
      from: { pathNot: [TEST_FILE, TEST_FOLDER, "^scripts/"] },
      to: { path: TEST_FOLDER },
    },
    {
      name: "gateways-without-models",
      comment: "A gateway never imports shared/models: it submits jobs.",
      severity: "error",
      from: { path: "^services/gateway-" },
      to: { path: "^shared/models/" },
    },
    {
      name: "hosting-by-programs",
      comment: "shared/hosting is for programs: services' main.ts, the gateways and services/cli.",
      severity: "error",
      from: {
        path: "^services/",
        pathNot: [
          "^services/(?:cli|gateway-[^/]+)/",
          "^services/[^/]+/src/main\\.ts$",
          TEST_FILE,
          TEST_FOLDER,
        ],
      },
      to: { path: "^shared/hosting/" },
    },
    {
      name: "gateways-without-workshop",
      comment: "A gateway has no workers: of shared/hosting it takes what needs none.",
      severity: "error",
      from: { path: "^services/gateway-" },
      to: { path: "^shared/hosting/", pathNot: "^shared/hosting/src/program\\.ts$" },
    },
    {
      name: "workers-without-servers",
      comment: "Workers import neither fastify nor MCP.",
      severity: "error",
      from: { path: "^services/(?!gateway-|cli/)" },
      to: { path: packages("fastify(?:$|/)", "@fastify/", "@modelcontextprotocol/") },
    },
    {
      name: "queue-owns-bullmq",
      comment: "Only shared/queue imports BullMQ and ioredis.",
      severity: "error",
      from: { pathNot: "^shared/queue/" },
      to: { path: packages("bullmq(?:$|[-/])", "ioredis(?:$|/)") },
    },
    {
      name: "artifacts-owns-aws-sdk",
      comment: "Only shared/artifacts imports the AWS SDK.",
      severity: "error",
      from: { pathNot: "^shared/artifacts/" },
      to: { path: packages("@aws-sdk/", "@smithy/") },
    },
    {
      name: "telemetry-owns-opentelemetry",
      comment: "Only shared/telemetry imports OpenTelemetry.",
      severity: "error",
      from: { pathNot: "^shared/telemetry/" },
      to: { path: packages("@opentelemetry/") },
    },
    {
      name: "scripts-not-imported",
      comment: "Nothing imports scripts/ but the bin of the CLI, which is one of the entry scripts.",
      severity: "error",
      from: { pathNot: ["^scripts/", "^services/cli/bin/"] },
      to: { path: "^scripts/" },
    },
    {
      name: "no-cycles",
      comment: "No module imports itself in a roundabout way, not for types either.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "resolvable",
      comment: "What is not resolved is not checked.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(?:^|/)fixtures/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".mjs", ".cjs", ".js", ".json", ".d.ts", ".d.mts"],
    },
  },
};
