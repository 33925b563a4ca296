import { describe, expect, test } from "vitest";
import { languageOf } from "./language.ts";

describe("the language of a guideline", () => {
  test.each([
    ["en", "# Retries\n\nWhat the reader should know of retries, and how to test that they are safe."],
    [
      "de",
      "# Wiederholungen\n\nDer Artikel erklärt, wie man Anfragen wiederholt und warum das nicht immer hilft.",
    ],
    [
      "fr",
      "# Reprises\n\nL'article explique comment les clients reprennent une requête et pourquoi ce n'est pas sans danger.",
    ],
    [
      "es",
      "# Reintentos\n\nEl artículo explica cómo los clientes repiten una petición y por qué no es siempre seguro.",
    ],
    [
      "pt",
      "# Tentativas\n\nO artigo explica como os clientes repetem um pedido e por que isso não é sempre seguro.",
    ],
    [
      "it",
      "# Tentativi\n\nCome i client ripetono una richiesta e perché non è sempre sicuro con gli errori della rete.",
    ],
    [
      "nl",
      "# Herhalen\n\nHet artikel legt uit hoe een client een verzoek herhaalt en waarom dat niet altijd veilig is.",
    ],
    [
      "pl",
      "# Ponowienia\n\nArtykuł wyjaśnia, jak klient ponawia żądania oraz że nie jest to zawsze bezpieczne.",
    ],
    [
      "vi",
      "# Thử lại\n\nBài viết giải thích các ứng dụng thử lại và những rủi ro của việc này, không phải trong mọi trường hợp.",
    ],
    ["ja", "# リトライ\n\nクライアントがリクエストを再試行する方法を説明する。"],
    ["zh", "# 重试\n\n文章说明客户端如何重试请求,以及为什么这并不总是安全的。"],
    ["ko", "# 재시도\n\n클라이언트가 요청을 재시도하는 방법을 설명한다."],
    ["ru", "# Повторы\n\nСтатья объясняет, как клиент повторяет запрос."],
    ["uk", "# Повтори\n\nСтаття пояснює, як клієнт повторює запит і чому це не завжди безпечно."],
    ["en", ""],
    ["en", "- https://a.dev/der/die/das\n- `src/a.py`"],
    ["en", "# Redis Streams\n\nKubernetes, Postgres, TypeScript."],
  ])("is %s", (language, text) => {
    expect(languageOf(text)).toBe(language);
  });
});
