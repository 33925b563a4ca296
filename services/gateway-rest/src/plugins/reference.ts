import type { FastifyInstance } from "fastify";

/** The page loads what this server serves, and nothing else. */
const pagePolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The interactive reference, from the OpenAPI document of this server. */
export async function installReference(app: FastifyInstance): Promise<void> {
  const { default: apiReference } = await import("@scalar/fastify-api-reference");
  await app.register(async (scope) => {
    scope.addHook("onRoute", (route) => {
      route.config = { ...route.config, access: "public" };
    });
    scope.addHook("onSend", async (_request, reply) => {
      reply.headers({ "content-security-policy": pagePolicy, "x-content-type-options": "nosniff" });
    });
    await scope.register(apiReference, {
      routePrefix: "/docs",
      configuration: {
        url: "/openapi.json",
        pageTitle: "Proofroom",
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        showDeveloperTools: "never",
      },
    });
  });
}
