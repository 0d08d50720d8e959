// Every sample: its test, its file, its format, what to see in it. The program builds the files in, tests
// open each of them, and README.md is written from here (`CITESCOPE_UPDATE=1 cargo test docs`).
samples! {
    gemini_search: "gemini-search.json",
        "Gemini API, `generateContent`",
        "Google Search grounding: bare domains as titles, redirect addresses, no confidence scores; \"°\", \
         \"–\" and \"é\" make byte offsets differ from character offsets";
    gemini_stream: "gemini-stream.sse",
        "Vertex AI, `streamGenerateContent`",
        "a thought first, text in six chunks, the grounding metadata only in the last one";
    gemini_retrieval_scores: "gemini-retrieval-scores.json",
        "Vertex AI, `generateContent`",
        "retrieved passages and confidence scores (one is 0, one 0.0068); the first claim says 1937 where \
         its passage says 1932; the fog signal claim cites the wrong passage";
    gemini_broken_offsets: "gemini-broken-offsets.json",
        "Gemini API, `generateContent`",
        "faulty on purpose: no offset fits; two quotes are cut short, one occurs nowhere, one range runs \
         past the end";
    gemini_characters: "gemini-characters.json",
        "Gemini API, `generateContent`",
        "faulty on purpose: offsets that count characters where bytes are documented, as a Python program \
         writes them; every one can be repaired";
    gemini_nested: "gemini-nested.json",
        "Gemini API, `generateContent`",
        "supports that grow from the same start, lie inside another, cover the same range twice, or cross";
    gemini_long: "gemini-long.json",
        "Gemini API, `generateContent`",
        "a long Markdown answer (headings, lists, a table, code) with 45 supports over 12 chunks";
    gemini_maps: "gemini-maps.json",
        "Vertex AI, `generateContent`",
        "Google Maps places with reviews, flag links that belong to places and to a review, one place that \
         is not cited";
    gemini_japanese: "gemini-japanese.json",
        "Gemini API, `generateContent`",
        "a Japanese answer with Japanese passages; every offset is in bytes";
    gemini_thai: "gemini-thai.json",
        "Gemini API, `generateContent`",
        "a Thai answer with Thai passages, which write no blanks between words; a time in Thai digits that \
         the passage has in others";
    gemini_other_language: "gemini-other-language.json",
        "Gemini API, `generateContent`",
        "German claims over English passages: only numbers and names can be compared; one passage is German";
    gemini_hindi_emoji: "gemini-hindi-emoji.json",
        "Gemini API, `generateContent`",
        "Hindi, joined emoji, flags, skin tones, combining accents and an Arabic sentence";
    gemini_dangling: "gemini-dangling.json",
        "Gemini API, `generateContent`",
        "an index without a chunk, an empty chunk, a chunk of an unknown kind, an uncited chunk, failed \
         pages of the URL context tool, a recitation";
    gemini_batch: "gemini-batch.jsonl",
        "Vertex AI batch output",
        "four lines: grounded after dynamic retrieval, failed, answered without grounding, answered with two \
         candidates";
    agent_session: "agent-session.json",
        "Agent Engine session events",
        "two turns: question, tool call and response, a partial event, the final answers with their grounding";
    agent_events: "agent-events.sse",
        "ADK event stream",
        "five partial events, then the whole answer with its grounding; two supports nest";
    discovery_answer: "discovery-answer.json",
        "Discovery Engine, `answerQuery`",
        "citations beside scored grounding supports, a greeting that needs no check, search steps with what \
         they found";
    discovery_stream: "discovery-stream.json",
        "Discovery Engine, `streamAnswer`",
        "steps, references, text and citations in turn; the last message repeats the whole answer";
    discovery_skipped: "discovery-skipped.json",
        "Discovery Engine, `answerQuery`",
        "no answer: the query was classified as small talk";
    check_grounding: "check-grounding.json",
        "Discovery Engine, `check` (grounding)",
        "four claims; the third says 140 metres where its chunk says 112 and has a low score; the answer \
         itself is not in the response";
    bigdata_research: "bigdata-research.sse",
        "Bigdata Research Agent",
        "a whole run: plan, searches, a tool that fails once, a retry, references to documents, to a web \
         page and to a tool, a chart";
    bigdata_workflow: "bigdata-workflow.sse",
        "Bigdata Workflow",
        "the same messages in the other envelope, a structured output, emoji and Polish names before the \
         offsets";
    bigdata_chat: "bigdata-chat.json",
        "Bigdata saved chat",
        "no offsets: markers in the text name the documents";
    gemini_interactions: "gemini-interactions.json",
        "Gemini Interactions API",
        "byte offsets of claims under OpenAI's keys, a file and a place; the last range is one byte early";
    openai_responses: "openai-responses.json",
        "OpenAI Responses API",
        "marks with offsets in characters of their part, one two characters early; a point, a generated file, \
         pages that were found and not cited";
    chat_completions: "chat-completions.json",
        "Chat Completions with annotations",
        "two choices: marks with offsets, and `[n]` over annotations without any, of which one names no source";
    anthropic_messages: "anthropic-messages.json",
        "Anthropic Messages API",
        "cited blocks with quotes of documents, pages, search results and the web; the date is not that of its \
         quote";
    perplexity: "perplexity.json",
        "Perplexity chat completion",
        "`[n]` over a numbered list, snippets, an attached file, a thought; `[7]` names nothing";
    azure_oyd: "azure-oyd.json",
        "Azure OpenAI On Your Data",
        "`[docN]` over the documents of the context, queries and what was left out; `[doc4]` names nothing";
    cohere: "cohere.json",
        "Cohere chat v2",
        "spans with their words in the second block; a wrong year, one range a character late";
    bedrock_rag: "bedrock-rag.json",
        "AWS Bedrock RetrieveAndGenerate",
        "inclusive ends, a row of a table as a source, a sentence with no reference";
    bedrock_converse: "bedrock-converse.json",
        "AWS Bedrock Converse",
        "cited blocks as Claude sends them and points as Nova does; the year is not that of its quote";
    mistral: "mistral.json",
        "Mistral Conversations",
        "reference chunks behind the text that they back";
    xai: "xai.json",
        "xAI response",
        "inline citations, the second three characters early; a failed search, a collection";
    langchain: "langchain.json",
        "LangChain content blocks",
        "blocks as Anthropic's, a mark as OpenAI's, bytes as Google's in one message";
    vercel_ui: "vercel-ui.json",
        "Vercel AI SDK message",
        "sources without spans: a link of the text is the mark; a tool that failed";
    copilot: "copilot.json",
        "GitHub Copilot event",
        "spans in UTF-16 units behind an emoji, a number that the cited text has otherwise, a source that is \
         not there";
    text_markers: "text-markers.md",
        "Markdown",
        "`[n]` over the text's own list of links; `[5]` names nothing";
    logged_pair: "logged-pair.json",
        "a logged request with its response (Anthropic)",
        "the question and the document of the request; the second quote is not at its offsets there";
    generic: "generic.json",
        "a JSON of one's own",
        "read by the names of its keys; a wrong year, a span whose source is not there";
    neutral: "neutral.jsonl",
        "citescope's own neutral form, `export --to jsonl`",
        "two responses exported from other samples and opened again: a Bigdata.com workflow and a skipped \
         Discovery Engine answer";
    all_fields_gemini: "all-fields-gemini.json",
        "Gemini API, `generateContent`",
        "every documented field of the grounding metadata, each with a value of its own; the last support \
         counts in its own part";
    all_fields_events: "all-fields-events.json",
        "Agent Engine session events",
        "every documented field of events, actions and event metadata; the credentials are made up";
    all_fields_answer: "all-fields-answer.json",
        "Discovery Engine answer resource",
        "every documented field of an answer, with all three kinds of reference";
    all_fields_bigdata: "all-fields-bigdata.sse",
        "Bigdata streams",
        "every documented message and field: a Research Agent run, the older dialect and a Workflow that \
         ends with an error";
}
