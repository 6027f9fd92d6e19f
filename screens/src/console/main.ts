import "../look/look.css";
import { mount } from "svelte";
import ConsolePage from "./ConsolePage.svelte";

mount(ConsolePage, { target: document.body });
