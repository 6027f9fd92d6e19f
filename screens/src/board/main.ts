import "../look/look.css";
import { mount } from "svelte";
import BoardPage from "./BoardPage.svelte";

mount(BoardPage, { target: document.body });
